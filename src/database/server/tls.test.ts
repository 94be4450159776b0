import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storeAdapterOf } from '../../app/stores.js'
import { makeCertificates, type Certificates } from '../../../test/support/servers/certificates.js'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import type { DatabaseKind } from '../../../test/support/servers/server-programs.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { StorageError } from '../storage-error.js'

interface Words {
  /** Settings of a server with a certificate. */
  readonly settings: (certificates: Certificates) => readonly string[]
  readonly mode: string
  readonly ca: string
  readonly full: string
  readonly chain: string
  /** Whether the connections of a user are encrypted: a query, and its result. */
  readonly encrypted: readonly [query: string, result: RegExp]
}

const words: Readonly<Record<DatabaseKind, Words>> = {
  postgres: {
    settings: ({ certificate, key }) => ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`],
    mode: 'sslmode',
    ca: 'sslrootcert',
    full: 'verify-full',
    chain: 'verify-ca',
    encrypted: ['SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()', /^true$/],
  },
  mariadb: {
    settings: ({ certificate, key }) => [`ssl-cert=${certificate}`, `ssl-key=${key}`],
    mode: 'ssl-mode',
    ca: 'ssl-ca',
    full: 'verify_identity',
    chain: 'verify_ca',
    encrypted: [
      `SELECT variable_value FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher'`,
      /^TLS_/,
    ],
  },
}

for (const kind of ['postgres', 'mariadb'] as const)
  describe(`TLS to ${kind}`, { skip: skipWithoutProgram(kind) }, () => {
    const { settings, mode, ca, full, chain, encrypted } = words[kind]
    let certificates: Certificates
    let server: TestServer
    const start = async (of: Certificates) => (await startServer(kind, settings(of))) ?? assert.fail('not installed')
    before(async () => {
      certificates = makeCertificates(kind, 'localhost')
      server = await start(certificates)
    })
    after(async () => {
      await server.drop()
      certificates.remove()
    })

    const address = (host: string, parameters: Readonly<Record<string, string>>, at = server): string => {
      const url = new URL(at.url)
      url.hostname = host
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return String(url)
    }
    /** Opens the database, and asks it whether the connection is encrypted. */
    const isEncrypted = async (url: string): Promise<boolean> => {
      const { database } = await storeAdapterOf(url).openTables(url, { purpose: 'read' })
      try {
        const row = await database.reader.row(encrypted[0])
        return encrypted[1].test(String(row?.[0]))
      } finally {
        await database.close()
      }
    }
    const assertRefused = async (url: string, reason: RegExp): Promise<void> => {
      const warnings: string[] = []
      const opening = storeAdapterOf(url).open(url, { purpose: 'start', onWarning: (code) => warnings.push(code) })
      await assert.rejects(opening, (error: Error) => {
        assert.ok(error instanceof StorageError && error.fault === 'unavailable', String(error))
        assert.match(error.message, reason)
        assert.ok(!String(error.stack).includes(new URL(url).password))
        return true
      })
      // It is not waited for, as a server that starts would be.
      assert.deepEqual(warnings, [])
    }

    test('a certificate of the given authority for the host of the address is accepted', async () => {
      assert.ok(await isEncrypted(address('localhost', { [mode]: full, [ca]: certificates.authority })))
    })

    test('a certificate for another host is refused, with the remedy, and accepted where only the authority counts', async () => {
      const others = makeCertificates(kind, 'db.example')
      const other = await start(others)
      try {
        const parameters = (checked: string) => ({ [mode]: checked, [ca]: others.authority })
        const remedy = new RegExp(`certificate names.*\\?${mode}=${chain}`, 's')
        await assertRefused(address('localhost', parameters(full), other), remedy)
        assert.ok(await isEncrypted(address('localhost', parameters(chain), other)))
      } finally {
        await other.drop()
        others.remove()
      }
    })

    test('an IP address is no name of the certificate', async () => {
      const url = address('127.0.0.1', { [mode]: full, [ca]: certificates.authority })
      await assertRefused(url, kind === 'postgres' ? /altnames/ : /IP address.*\?ssl-mode=verify_ca/s)
    })

    test('a certificate of an unknown authority is refused, with the remedy', async () => {
      for (const parameters of [{ [mode]: full }, { [mode]: full, [ca]: certificates.otherAuthority }])
        await assertRefused(address('localhost', parameters), new RegExp(`authority.*\\?${ca}=`, 's'))
      await assertRefused(
        address('127.0.0.1', { [mode]: chain, [ca]: certificates.otherAuthority }),
        new RegExp(`authority.*\\?${ca}=`, 's'),
      )
    })

    test('a file of authorities that is missing is named', async () => {
      await assertRefused(address('localhost', { [mode]: full, [ca]: '/no/such/ca.pem' }), /no\/such\/ca\.pem/)
    })

    test('encrypts in every other mode, which checks what docs/databases.md says', async () => {
      const authority = { [ca]: certificates.authority }
      if (kind === 'postgres') {
        assert.ok(await isEncrypted(address('localhost', { [mode]: 'require', ...authority })))
        await assertRefused(address('localhost', { [mode]: 'require' }), /authority.*\?sslrootcert=/s)
        assert.ok(await isEncrypted(address('127.0.0.1', { [mode]: 'no-verify' })))
      } else {
        assert.ok(await isEncrypted(address('127.0.0.1', { [mode]: 'required' })))
        assert.ok(await isEncrypted(address('localhost', authority)))
        await assertRefused(address('localhost', { [ca]: certificates.otherAuthority }), /authority.*\?ssl-ca=/s)
      }
      assert.equal(
        await isEncrypted(address('127.0.0.1', { [mode]: kind === 'postgres' ? 'disable' : 'disabled' })),
        false,
      )
    })

    test('without a mode nothing is encrypted', async () => {
      assert.equal(await isEncrypted(address('127.0.0.1', {})), false)
    })
  })
