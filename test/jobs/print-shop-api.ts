import { setTimeout as delay } from 'node:timers/promises'
import { silent } from '../../src/log/log.js'
import { AsRestRoute, inject, job, RecordStore, type BootOptions } from '../../src/index.js'

/** Pages above this number wait for a record of the type `release`. */
export const freePages = 200

/** Prints a page: a record of its number, made anew by each attempt. */
export const printPage = job({
  name: 'print-page',
  async run({ page }: { page: number }, { attempt }) {
    const records = inject(RecordStore)
    await delay(20)
    const mayPrint = async () => page <= freePages || (await records.count({ type: 'release' })) > 0
    while (!(await mayPrint())) await delay(100)
    await records.insert({ type: 'page_print', status: 'publish', title: `page ${page}`, meta: { page, attempt } })
  },
})

/** Does not heed its signal. Each attempt writes when it begins and when it ends. */
export const printPoster = job({
  name: 'print-poster',
  timeout: 0.2,
  attempts: 3,
  retry_delay: 0,
  async run(_: null, { attempt }) {
    const records = inject(RecordStore)
    const write = (title: string) => records.insert({ type: 'page_print', status: 'publish', title })
    await write(`begin ${attempt}`)
    await delay(1_500)
    await write(`end ${attempt}`)
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
  jobs: [printPage, printPoster],
  record_types: { page_print: { meta: { page: { type: 'integer' }, attempt: { type: 'integer' } } }, release: {} },
})
