import test from 'node:test'
import type { NewRecord, StoredRecord } from '../../../src/content/record.js'
import type { RecordStore } from '../../../src/content/record-store.js'
import type { RecordTypeDeclarations } from '../../../src/content/record-types.js'
import type { Caller } from '../../../src/http/caller.js'

/** What a store is opened with: an empty one, of a site at `http://example.test` with permalinks `/%postname%/`. */
export interface RecordStoreSetup {
  readonly types: RecordTypeDeclarations
  readonly categories: readonly string[]
  /** Who reads and writes. */
  readonly caller: () => Caller
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

export interface OpenedRecordStore {
  readonly store: RecordStore
  close(): Promise<void>
}

const types: RecordTypeDeclarations = {
  product: {
    supports: ['title', 'editor', 'excerpt'],
    meta: {
      price: { type: 'number' },
      total_sales: { type: 'integer', default: 0 },
      Price: { type: 'string' },
      note: { type: 'string' },
      colour: { type: 'string' },
      colours: { type: 'array' },
      sizes: { type: 'array' },
    },
  },
  folder: { hierarchical: true },
  plain: { permalink: false, supports: [] },
}

export const administrator: Caller = {
  id: 1,
  login: 'ada',
  displayName: 'Ada',
  email: 'ada@example.test',
  roles: ['administrator'],
  capabilities: new Set(['exist', 'read', 'unfiltered_html', 'publish_posts', 'read_private_posts']),
}
export const visitor: Caller = { ...administrator, id: 0, login: '', roles: [], capabilities: new Set(['exist']) }
export const author: Caller = { ...administrator, id: 7, capabilities: new Set(['exist', 'read', 'publish_posts']) }

/** What a check can change of its surroundings. */
interface Hands {
  become(caller: Caller): void
  wait(seconds: number): void
}

/** Declares a test of a store that is opened for it alone. */
export type Behaves = (statement: string, check: (store: RecordStore, hands: Hands) => Promise<void>) => void

/** @param open gives an empty store. */
export function behavesWith(name: string, open: (setup: RecordStoreSetup) => Promise<OpenedRecordStore>): Behaves {
  return (statement, check) =>
    void test(`${name}: ${statement}`, async () => {
      let now = Date.parse('2026-01-15T12:00:00Z')
      let present = administrator
      const caller = (): Caller => present
      const { store, close } = await open({ types, categories: ['books', 'toys'], caller, clock: () => now })
      try {
        await check(store, {
          become: (next) => (present = next),
          wait: (seconds) => (now += seconds * 1000),
        })
      } finally {
        await close()
      }
    })
}

/** A published product. */
export const product = (title: string, more: NewRecord = {}): NewRecord => ({
  type: 'product',
  status: 'publish',
  title,
  ...more,
})

export const titles = (records: readonly Pick<StoredRecord, 'title'>[]): string[] =>
  records.map((record) => record.title)
