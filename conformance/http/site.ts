import { fileURLToPath } from 'node:url'
import { hashOfApplicationPassword } from '../../src/auth/application-password-hash.js'
import { ThreadedPasswordHasher } from '../../src/auth/threaded-password-hasher.js'
import { start } from '../../src/app/boot.js'
import { inspect } from '../../src/app/plan.js'
import type { Service } from '../../src/app/service.js'
import { StartupError } from '../../src/app/startup-error.js'
import { silent } from '../../src/log/log.js'
import type { EmptyDatabases } from '../empty-databases.js'
import { bootOptions } from './boot-options.js'
import { echoEndpoints } from './echo-routes.js'
import { loadFixtures, readFixtures, type Hashes } from './fixtures.js'
import type { StartSite } from './replay.js'

const shop = fileURLToPath(new URL('../../examples/shop/app/', import.meta.url))
/** The template of the recorded site, in one line, in place of the example's own. */
const views = fileURLToPath(new URL('./views/', import.meta.url))

/**
 * Starts the reference application on the fixtures of a folder, with the echo routes of that folder beside it.
 * @param folder is read again at each start.
 */
export function siteStarter(folder: string, databases: EmptyDatabases): StartSite {
  const hashes = cachedHashes()
  return async (boot, port = 0) => {
    const fixtures = readFixtures(folder)
    const { rest_prefix, ...site } = fixtures.site
    const settings = bootOptions(boot)
    const database = await databases()
    let service: Service | null = null
    const close = async () => {
      // A client that never finishes its request must not hold up the next site.
      await service?.close({ gracePeriod: 1000 })
      await database.drop()
    }
    try {
      const plan = await inspect(shop, {
        database: database.url,
        views,
        synchronous: 'NORMAL',
        environment: 'local',
        secrets: fixtures.keys,
        rest_prefix,
        site,
        log: silent,
        seed: async () => {},
        ...settings,
      })
      if (plan.diagnostics.length > 0) throw new StartupError(plan.diagnostics)
      const echoes = echoEndpoints(folder, plan.options.rest_default_capability)
      service = await start(plan, echoes)
      await loadFixtures(fixtures, plan.content.storage, plan.options.table_prefix, hashes)
      const { url } = await service.listen({ port })
      return { origin: url, close }
    } catch (error) {
      await close()
      throw error
    }
  }
}

function cachedHashes(): Hashes {
  // Fixtures may have more users than a service lets wait for their passwords.
  const hasher = new ThreadedPasswordHasher({ maxWaiting: Number.POSITIVE_INFINITY })
  const hashes = new Map<string, Promise<string>>()
  return {
    applicationPassword: hashOfApplicationPassword,
    password(password) {
      let hash = hashes.get(password)
      if (!hash) hashes.set(password, (hash = hasher.hash(password)))
      return hash
    },
  }
}
