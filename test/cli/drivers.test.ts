import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { emptyFolder, endAll, removeFolders, run } from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

type Driver = 'pg' | 'mysql2'

/** The variables of a process in which these packages are not installed. */
function without(...packages: readonly Driver[]): Readonly<Record<string, string>> {
  const hook = `export async function resolve(name, context, next) {
    if (${JSON.stringify(packages)}.includes(name))
      throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' })
    return next(name, context)
  }`
  const module = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(module(hook))})`
  return { NODE_OPTIONS: `--import=${module(register)}` }
}

const cwd = emptyFolder()
const status = (database: string, env: Readonly<Record<string, string>>) =>
  run(['db', 'status', '--database', database], { cwd, env })

describe('the packages for databases on servers', () => {
  for (const [driver, address, product] of [
    ['pg', 'postgres://ann:hunter2@127.0.0.1/shop', 'PostgreSQL'],
    ['pg', 'postgresql://ann:hunter2@127.0.0.1/shop', 'PostgreSQL'],
    ['mysql2', 'mariadb://ann:hunter2@127.0.0.1/shop', 'MariaDB or MySQL'],
    ['mysql2', 'mysql://ann:hunter2@127.0.0.1/shop', 'MariaDB or MySQL'],
  ] as const)
    test(`${address} without ${driver} is one error with the command that installs it`, async () => {
      const { code, stdout, stderr } = await status(address, without(driver))
      assert.deepEqual([code, stdout], [1, ''])
      assert.equal(
        stderr,
        `A database on ${product} needs the package ${driver}, which is not installed. Run: npm install ${driver} [storage-unavailable]\n`,
      )
    })

  test('SQLite needs neither', async () => {
    const { code, stderr } = await status(`sqlite:${join(cwd, 'site.sqlite')}`, without('pg', 'mysql2'))
    assert.deepEqual([code, stderr], [0, ''])
  })

  for (const [kind, other] of [
    ['postgres', 'mysql2'],
    ['mariadb', 'pg'],
  ] as const)
    test(`a database on ${kind} does not need ${other}`, { skip: skipWithoutServer(kind) }, async () => {
      const database = (await freshDatabase(kind)) ?? assert.fail('no server')
      try {
        const { code, stdout, stderr } = await status(database.url, without(other))
        assert.deepEqual([code, stderr], [0, ''])
        assert.match(stdout, kind === 'postgres' ? /^Server: +PostgreSQL/m : /^Server: +MariaDB/m)
      } finally {
        await database.drop()
      }
    })
})
