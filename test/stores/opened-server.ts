import assert from 'node:assert/strict'
import { storeAdapterOf } from '../../src/app/stores.js'
import { checkDatabase } from '../../src/database/maintenance/check-database.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { freshDatabase } from '../support/servers/fresh-database.js'
import type { Server, Session } from './list-changes.js'

/** An empty database of a server, as a service and other programs use it. */
export interface OpenedServer {
  readonly storage: OpenedStorage
  readonly program: Session
  /** A further storage, as another service has it. */
  open(): Promise<OpenedStorage>
  /** A session of a further program. */
  connect(): Promise<Session>
  /** The faults that name one of these tables. */
  faultsOf(tables: RegExp): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openedServer(server: Server): Promise<OpenedServer> {
  const database = await freshDatabase(server.kind)
  assert.ok(database)
  const { url } = database
  const adapter = storeAdapterOf(url)
  const open = () => adapter.open(url, {})
  const connect = () => server.connect(url)
  const storage = await open()
  const store: SqlStore = await adapter.openTables(url, { purpose: 'change' })
  const program = await connect()
  return {
    storage,
    program,
    open,
    connect,
    async faultsOf(tables) {
      const sentences = (await checkDatabase(store)).map(({ sentence }) => sentence)
      return sentences.filter((sentence) => tables.test(sentence))
    },
    async close() {
      await program.end()
      await storage.close()
      await store.database.close()
      await database.drop()
    },
  }
}
