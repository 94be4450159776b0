import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot, endpoint } from 'as-rest-route'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'

const hello = endpoint({ namespace: 'shop/v1', route: '/hello', permission: 'public' }, () => 'hello')

const skip = skipWithoutServer('postgres') || skipWithoutServer('mariadb')

test('an address that leads to a server of another kind is refused, and the message says so', { skip }, async () => {
  const postgres = (await freshDatabase('postgres')) ?? assert.fail('PostgreSQL is gone')
  const mariadb = (await freshDatabase('mariadb')) ?? assert.fail('MariaDB is gone')
  try {
    const address = (scheme: string, { url }: { readonly url: string }) => {
      const { hostname, port } = new URL(url)
      return `${scheme}://ann:secret@${hostname}:${port}/shop`
    }
    await assert.rejects(
      boot([hello], { database: address('postgres', mariadb), database_wait: 0 }),
      /does not speak the protocol of PostgreSQL\. Addresses of MariaDB and MySQL begin with mariadb:\/\/\.$/,
    )
    await assert.rejects(
      boot([hello], { database: address('mariadb', postgres), database_wait: 0 }),
      /Is the server there MariaDB or MySQL, and can its port be reached\?$/,
    )
  } finally {
    await postgres.drop()
    await mariadb.drop()
  }
})
