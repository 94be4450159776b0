import { readFileSync } from 'node:fs'
import { boot } from '../../src/app/boot.js'
import { endpoint } from '../../src/routing/rest-endpoint.js'

const source = readFileSync(new URL('../../src/app/rest-pipeline.ts', import.meta.url), 'utf8')

/**
 * The reason to skip a test of what only the response cache does. False unless the line that creates it was changed, see
 * docs/architecture.md#caches. A cache that is there and does not work fails its tests.
 */
export const withoutResponseCache: string | false = source.includes('const usesCache = bytes > 0 && ')
  ? false
  : 'the response cache was taken out'

/** Whether the second request to a cached route is answered without its handler. */
export async function answersFromCache(): Promise<boolean> {
  let runs = 0
  const counted = endpoint({ namespace: 'test/v1', route: '/counted', permission: 'public', cache: 60 }, () => ++runs)
  const service = await boot([counted], {
    database: 'sqlite::memory:',
    secrets: {},
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  for (let request = 0; request < 2; request += 1)
    await service.fetch(new Request('http://localhost/wp-json/test/v1/counted'))
  await service.close()
  return runs === 1
}
