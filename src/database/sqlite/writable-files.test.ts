import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { typescriptArguments } from '../../../test/support/typescript.js'

/** Permissions do not bind the user root, so the databases belong to another user where the tests run as root. */
const user = process.getuid?.() === 0 ? 65_534 : undefined

const parent = mkdtempSync(join(tmpdir(), 'writable-files-'))
after(() => rmSync(parent, { recursive: true }))
chmodSync(parent, 0o755)
let folders = 0

interface Reply {
  readonly fault?: string
  readonly message?: string
}

/** A process of an ordinary user that opens a database and follows orders: `open`, `ping`, `write`, `close`. */
class OrdinaryProcess {
  readonly folder: string
  readonly path: string
  readonly #child: ChildProcess

  constructor(context: TestContext) {
    this.folder = join(parent, String((folders += 1)))
    mkdirSync(this.folder)
    this.path = join(this.folder, 'site.sqlite')
    if (user !== undefined) chownSync(this.folder, user, user)
    const module = fileURLToPath(new URL('../../../test/support/storage-process.ts', import.meta.url))
    this.#child = fork(module, user === undefined ? [this.path] : [this.path, String(user)], {
      execArgv: typescriptArguments,
    })
    context.after(() => this.#child.kill())
  }

  async tell(order: 'open' | 'ping' | 'write' | 'close'): Promise<Reply> {
    const reply = once(this.#child, 'message')
    this.#child.send(order)
    return ((await reply) as [Reply])[0]
  }
}

const modes: readonly [what: string, ending: string, locked: number, free: number][] = [
  ['file', '', 0o444, 0o600],
  ['log', '-wal', 0o444, 0o600],
  ['wal-index', '-shm', 0o444, 0o600],
  ['folder', 'folder', 0o555, 0o755],
]

describe('a database that may not be written', () => {
  for (const [what, ending, locked, free] of modes)
    it(`a ping tells of a read-only ${what}, and it is ready again when it may be written`, async (context) => {
      const ordinary = new OrdinaryProcess(context)
      const target = ending === 'folder' ? ordinary.folder : `${ordinary.path}${ending}`
      assert.deepEqual(await ordinary.tell('open'), {})
      assert.deepEqual(await ordinary.tell('ping'), {})
      chmodSync(target, locked)
      const { fault, message } = await ordinary.tell('ping')
      assert.equal(fault, 'read-only')
      assert.equal(
        message,
        `${target} cannot be written: it belongs to this user, with the mode ${locked.toString(8)}.`,
      )
      chmodSync(target, free)
      assert.deepEqual(await ordinary.tell('ping'), {})
      assert.deepEqual(await ordinary.tell('write'), {})
    })

  for (const [what, ending, locked, free] of modes.filter(([, each]) => each === '' || each === 'folder'))
    it(`the start refuses a read-only ${what} by its name, and succeeds when it may be written`, async (context) => {
      const ordinary = new OrdinaryProcess(context)
      const target = ending === 'folder' ? ordinary.folder : ordinary.path
      await ordinary.tell('open')
      await ordinary.tell('close')
      chmodSync(target, locked)
      const { fault, message } = await ordinary.tell('open')
      assert.equal(fault, 'read-only')
      assert.ok(message?.includes(`${target} cannot be written`), message)
      chmodSync(target, free)
      assert.deepEqual(await ordinary.tell('open'), {})
      assert.deepEqual(await ordinary.tell('write'), {})
    })
})
