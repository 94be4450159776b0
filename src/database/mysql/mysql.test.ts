import { after, describe } from 'node:test'
import { storageContract } from '../../../test/contracts/storage.js'
import { freshDatabase, type FreshDatabase } from '../../../test/support/servers/fresh-database.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { openMysql, type MysqlOptions } from './open-mysql.js'

describe('on MariaDB', { skip: skipWithoutServer('mariadb') }, () => {
  const databases: FreshDatabase[] = []
  after(() => Promise.all(databases.map(({ drop }) => drop())))

  const openFresh = async (options: MysqlOptions = {}) => {
    const database = await freshDatabase('mariadb')
    if (database === null) throw new Error('The server of the tests is gone.')
    databases.push(database)
    return openMysql(database.url, options)
  }

  const comparison = { ignoresAccents: true, ignoresTrailingSpaces: true }
  storageContract('MariaDB', () => openFresh(), comparison)
  storageContract('MariaDB without the row cache', () => openFresh({ rowCache: false, prefix: 'Shop_' }), comparison)
})
