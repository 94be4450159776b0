import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { StorageError } from '../../src/database/storage-error.js'

// The program of a process that opens a database and follows the orders of the test that started it. With a user's id as
// the second argument it becomes that user's: only now, as the user may not be able to read the program and Node.

const [, , path, user] = process.argv
if (user !== undefined) {
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}
const url = `sqlite:${path}`
let storage: OpenedStorage | null = null

const orders: Readonly<Record<string, () => Promise<unknown>>> = {
  open: async () => (storage = await openSqlite(url)),
  ping: async () => storage?.ping(),
  write: async () => storage?.options.write('blogname', 'Shop'),
  close: async () => storage?.close(),
}

process.on('message', (order: string) => {
  void orders[order]?.().then(
    () => process.send?.({}),
    (error: unknown) =>
      process.send?.({
        fault: error instanceof StorageError ? error.fault : 'other',
        message: error instanceof Error ? error.message : String(error),
      }),
  )
})
