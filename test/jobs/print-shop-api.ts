import { setTimeout as delay } from 'node:timers/promises'
import { silent } from '../../src/log/log.js'
import { AsRestRoute, inject, job, RecordStore, type BootOptions } from '../../src/index.js'

/** Prints a page: a record of its number, made anew by each attempt. */
export const printPage = job({
  name: 'print-page',
  async run({ page }: { page: number }, { attempt }) {
    const records = inject(RecordStore)
    await delay(20)
    await records.insert({ type: 'page_print', status: 'publish', title: `page ${page}`, meta: { page, attempt } })
  },
})

export class PrintShop {
  @AsRestRoute({ namespace: 'print/v1', route: '/state', permission: 'public' })
  open() {
    return null
  }
}

export const printShopOptions = (database: string): BootOptions => ({
  database,
  synchronous: 'NORMAL',
  secrets: {},
  log: silent,
  jobs: [printPage],
  record_types: { page_print: { meta: { page: { type: 'integer' }, attempt: { type: 'integer' } } } },
})
