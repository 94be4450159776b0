import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freshDatabase } from '../../../test/support/servers/fresh-database.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { foreignSql } from '../../../test/support/servers/open-fresh-mariadb.js'
import { mysqlDialect } from './mysql-dialect.js'

describe('a text as a date or time', { skip: skipWithoutServer('mariadb') }, () => {
  let database: Awaited<ReturnType<typeof freshDatabase>> = null
  before(async () => {
    database = await freshDatabase('mariadb')
  })
  after(() => database?.drop())

  // MySQL always rounds a fraction in a cast, MariaDB with this mode.
  it('is read without its fraction of a second, which a server would round', async () => {
    const { asMoment } = mysqlDialect('MySQL')
    const read = async (text: string, kind: 'date' | 'datetime' | 'time') =>
      await foreignSql(
        database?.url ?? '',
        `SET sql_mode = 'TIME_ROUND_FRACTIONAL'`,
        `SELECT CAST(${asMoment(`'${text}'`, kind)} AS DECIMAL(20, 6)) + 0`,
      )
    assert.deepEqual(await read('10:00:00.999', 'time'), [['100000.000000']])
    assert.deepEqual(await read('9:5:59.999Z ', 'time'), [['90559.000000']])
    assert.deepEqual(await read('2026-01-05 23:59:59.999', 'datetime'), [['20260105235959.000000']])
    assert.deepEqual(await read('2026-01-05T10:00:00.5+02:00', 'datetime'), [['20260105100000.000000']])
    assert.deepEqual(await read('2026-01-05 23:59:59.999', 'date'), [['20260105000000.000000']])
    assert.deepEqual(await read('2026.1.5', 'date'), [['20260105000000.000000']])
    assert.deepEqual(await read('2026.1.5 10:00:00.', 'datetime'), [['20260105100000.000000']])
  })
})
