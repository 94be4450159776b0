// The clients of one process.
import { storeAdapterOf } from '../../src/app/stores.js'
import { ContendingClient, nothingAcknowledged } from '../../test/contracts/contention/client.js'
import { contendedSite } from '../../test/contracts/contention/site.js'
import { Random } from '../support/random.js'
import { answerCalls } from '../support/service-process.js'
import type { Contended, Contention } from './protocol.js'

process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))

answerCalls({
  async contend({ url, keeper, seed, seconds, clients }: Contention): Promise<Contended> {
    const storage = await storeAdapterOf(url).open(url, {})
    const site = await contendedSite(storage, keeper)
    const acknowledged = nothingAcknowledged()
    const until = performance.now() + 1000 * seconds
    await Promise.all(
      Array.from({ length: clients }, (_, index) =>
        new ContendingClient(site, new Random(seed, index), acknowledged).run(until),
      ),
    )
    await storage.close()
    return { acknowledged }
  },
})
