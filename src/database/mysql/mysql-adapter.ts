import { shownAddress } from '../server/server-address.js'
import { StorageError } from '../storage-error.js'
import type { SqlStoreAdapter } from '../sql/sql-store.js'
import { mysqlHasTables, openMysql } from './open-mysql.js'
import { mysqlSchemes, parseMysqlAddress } from './mysql-address.js'
import { openMysqlTables } from './mysql-tables.js'

/** MariaDB 10.11 and later, and MySQL 8.4, by the package `mysql2`. */
export const mysqlAdapter: SqlStoreAdapter = {
  schemes: mysqlSchemes,
  locate(address) {
    return { file: null, isTemporary: false, name: shownAddress('mariadb', parseMysqlAddress(address).server) }
  },
  hasTables: mysqlHasTables,
  async backUp(address) {
    const { server } = parseMysqlAddress(address)
    const [host] = server.hosts
    const place = host?.host.startsWith('/') ? `--socket=${host.host}` : `--host=${host?.host} --port=${host?.port}`
    throw new StorageError(
      'failed',
      `The database ${shownAddress('mariadb', server)} is copied by the tools of its server: mariadb-dump --single-transaction --triggers ` +
        `--default-character-set=utf8mb4 ${place} --user=${server.user ?? ''} --password ${server.database} > copy.sql`,
    )
  },
  open: openMysql,
  openTables: openMysqlTables,
}
