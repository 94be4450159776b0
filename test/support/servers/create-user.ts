import { foreignSql as foreignMariadb } from './open-fresh-mariadb.js'
import { foreignSql as foreignPostgres } from './open-fresh-postgres.js'
import type { DatabaseKind } from './server-programs.js'

/** Creates the user `shop` with the password `secret`, who may create tables. */
export const createUser: Readonly<Record<DatabaseKind, (url: string) => Promise<unknown>>> = {
  postgres: (url) =>
    foreignPostgres(url, `CREATE ROLE shop LOGIN PASSWORD 'secret'; GRANT CREATE ON SCHEMA public TO shop; SELECT 1`),
  mariadb: (url) =>
    foreignMariadb(
      url,
      `CREATE USER shop@'127.0.0.1' IDENTIFIED BY 'secret'`,
      `GRANT ALL ON test.* TO shop@'127.0.0.1'`,
    ),
}
