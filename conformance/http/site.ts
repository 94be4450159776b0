import { fileURLToPath } from 'node:url'
import { hashOfApplicationPassword } from '../../src/auth/application-password-hash.js'
import { ThreadedPasswordHasher } from '../../src/auth/threaded-password-hasher.js'
import { start } from '../../src/app/boot.js'
import { inspect } from '../../src/app/plan.js'
import { StartupError } from '../../src/app/startup-error.js'
import { silent } from '../../src/log/log.js'
import type { EmptyDatabase } from '../empty-database.js'
import { echoEndpoints } from './echo-routes.js'
import { loadFixtures, type Fixtures, type Hashes } from './fixtures.js'
import type { RunningSite, StartSite } from './replay.js'

const shop = fileURLToPath(new URL('../../examples/shop/app/', import.meta.url))
/** The template of the recorded site, in one line, in place of the example's own. */
const views = fileURLToPath(new URL('./views/', import.meta.url))

/**
 * Starts the reference application on the fixtures' data, with the echo routes beside it.
 * @param folder of the case files. @param database emptied before and after each site.
 */
export function siteStarter(folder: string, fixtures: Fixtures, database: EmptyDatabase): StartSite {
  const hashes = cachedHashes()
  return async (boot) => {
    database.empty()
    const { rest_prefix, ...site } = fixtures.site
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
      ...capabilityOf(boot),
    })
    if (plan.diagnostics.length > 0) throw new StartupError(plan.diagnostics)
    const service = await start(plan, echoEndpoints(folder, plan.options.rest_default_capability))
    await loadFixtures(fixtures, plan.assembly.storage, hashes)
    const { url } = await service.listen({ port: 0 })
    return {
      origin: url,
      async close() {
        await service.close()
        database.empty()
      },
    } satisfies RunningSite
  }
}

function capabilityOf(boot: string | null): { readonly rest_default_capability?: string | null } {
  const value = /^rest_default_capability=(.*)$/.exec(boot ?? '')?.[1]
  return value === undefined ? {} : { rest_default_capability: value === 'null' ? null : value }
}

function cachedHashes(): Hashes {
  const hasher = new ThreadedPasswordHasher()
  const known = new Map<string, Promise<string>>()
  return {
    applicationPassword: hashOfApplicationPassword,
    password(password) {
      let hash = known.get(password)
      if (!hash) known.set(password, (hash = hasher.hash(password)))
      return hash
    },
  }
}
