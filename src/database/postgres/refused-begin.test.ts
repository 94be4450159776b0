import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshPostgres, type FreshPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import type { OpenedStorage } from '../store-adapter.js'
import { openPostgres } from './open-postgres.js'

/** Passes everything on between a service and a server, and answers one BEGIN itself. */
class RefusingProxy {
  isRefusing = false
  readonly #server = createServer((client) => this.#connect(client))
  readonly #sockets = new Set<Socket>()
  #target: URL | null = null

  /** @returns the address of the proxy in front of a server. */
  async inFrontOf(url: URL): Promise<string> {
    this.#target = url
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return Object.assign(new URL(url), { port: (this.#server.address() as AddressInfo).port }).href
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #connect(client: Socket): void {
    const server = connect(Number(this.#target?.port), this.#target?.hostname)
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
    }
    server.pipe(client)
    client.on('close', () => server.destroy())
    let left = Buffer.alloc(0)
    // The first message has no type.
    let typeLength = 0
    let isSkipping = false
    client.on('data', (chunk) => {
      left = Buffer.concat([left, chunk])
      while (left.length >= typeLength + 4) {
        const length = typeLength + left.readUInt32BE(typeLength)
        if (left.length < length) return
        const message = left.subarray(0, length)
        left = left.subarray(length)
        const type = typeLength === 0 ? '' : String.fromCharCode(message[0] ?? 0)
        typeLength = 1
        if (this.isRefusing && 'QP'.includes(type || '-') && message.includes('BEGIN ISOLATION LEVEL')) {
          this.isRefusing = false
          isSkipping = type === 'P'
          client.write(refusal)
        } else if (!isSkipping) server.write(message)
        else if (type === 'S') isSkipping = false
      }
    })
  }
}

const message = (type: string, body: string): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + Buffer.byteLength(body))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}

/** An error that a cancelled statement has, and that the server is ready for the next one outside of a transaction. */
const refusal = Buffer.concat([
  message('E', 'SERROR\0VERROR\0C57014\0Mcanceling statement due to user request\0\0'),
  message('Z', 'I'),
])

describe('a transaction whose BEGIN the server refuses', { skip: skipWithoutServer('postgres') }, () => {
  let database: FreshPostgres
  let storage: OpenedStorage
  const proxy = new RefusingProxy()
  before(async () => {
    database = await freshPostgres()
    await (await database.open()).close()
    storage = await openPostgres(await proxy.inFrontOf(new URL(database.url)))
  })
  after(async () => {
    await storage.close()
    proxy.close()
    await database.drop()
  })

  const isUnknown = { name: 'StorageError', fault: 'unavailable', message: /unknown/ }
  const stored = async (title: string): Promise<number> =>
    Number(
      (await database.foreign(`SELECT count(*) FROM ${database.table('posts')} WHERE post_title = '${title}'`))[0]?.[0],
    )

  const works: Readonly<Record<string, (title: string) => Promise<unknown>>> = {
    'a write': (title) => storage.write((inside) => inside.posts.insert(aPost({ post_title: title }))),
    'a write with locks': (title) =>
      storage.write(async (inside) => {
        await inside.lock(['slug:x'])
        await inside.posts.insert(aPost({ post_title: title }))
      }),
    'a transaction': (title) => storage.transaction((inside) => inside.posts.insert(aPost({ post_title: title }))),
  }
  for (const [name, work] of Object.entries(works))
    it(`${name} is not repeated, and its outcome is called unknown`, async () => {
      proxy.isRefusing = true
      await assert.rejects(work(name), isUnknown)
      assert.equal(proxy.isRefusing, false)
      assert.ok((await stored(name)) <= 1)
      await work(`${name} again`)
      assert.equal(await stored(`${name} again`), 1)
    })
})
