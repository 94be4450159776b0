import { copyOf, removeDatabase, type Data } from '../data/data.js'
import { bytesOf, type BenchRequest } from '../load/exchange.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { rounded, type Section } from '../report/check.js'
import { product } from '../servers/commands.js'
import { startServer } from '../servers/server.js'
import { brokenIn, measured } from './measure.js'

/** What each feature of the product adds to a request that does nothing else. */
export async function costOfFeatures({ file, credentials }: Data, options: Options): Promise<Section> {
  const { authorization, cookie, nonce, productIds } = credentials
  const at = (route: string, headers: Readonly<Record<string, string>> = {}): BenchRequest => ({
    method: 'GET',
    path: `/wp-json/bench/v1/${route}`,
    headers,
  })
  const queryOf = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=${index}`).join('&')
  const features: readonly (readonly [title: string, request: BenchRequest])[] = [
    ['a public route without arguments', at('plain')],
    ['two path parameters', at('patterns/1234/a-name')],
    ['1 argument, checked and converted', at(`arguments-1?${queryOf(1)}`)],
    ['10 arguments', at(`arguments-10?${queryOf(10)}`)],
    ['100 arguments', at(`arguments-100?${queryOf(100)}`)],
    ['a caller by application password', at('plain', { Authorization: authorization })],
    ['the same, and a capability', at('closed', { Authorization: authorization })],
    ['the same, and a permission callback instead', at('asked', { Authorization: authorization })],
    ['a caller by cookie and nonce', at('plain', { Cookie: cookie, 'X-WP-Nonce': nonce })],
    ['another origin (CORS)', at('plain', { Origin: 'http://elsewhere.example' })],
    ['_fields', at('plain?_fields=hello')],
    ['_envelope', at('plain?_envelope=1')],
    ['from the response cache', at('cached')],
    ['a response schema', at('described')],
    ['a function of `around`', at('around')],
    ['10 of the products with a price from 10 to 20, of 5,000', at('filtered')],
    ['the same, and a response schema', at('filtered-described')],
    ['a transaction that reads and writes a record', { ...at(`transaction/${productIds[0] ?? 0}`), method: 'POST' }],
    ['a stream of 10 MB', at('stream')],
  ]
  const costs = features.map(() => [] as number[])
  // One of them writes.
  const database = copyOf(file, 'features')
  const server = await startServer(product({ node: options.node, database, synchronous: 'FULL' }))
  try {
    const loads = features.map(([, feature]) => {
      const request = bytesOf(feature)
      return { next: () => request, status: 200 }
    })
    for (const load of loads) await brokenIn(server, load, options)
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [index, load] of loads.entries()) {
        const { perCpuSecond } = await measured(server, load, options)
        costs[index]?.push(1e6 / perCpuSecond)
      }
    }
  } finally {
    await server.stop()
    removeDatabase(database)
  }
  const medians = costs.map(median)
  const [plain = 0] = medians
  const rows = features.map(([title], index) => {
    const cost = medians[index] ?? 0
    return [title, rounded(cost), index === 0 ? '' : signed(rounded(cost - plain))]
  })
  const columns = ['request', 'µs of CPU', 'more than the first']
  return { series: [{ id: 'features', title: 'What each feature costs', columns, rows }], checks: [] }
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value)
}
