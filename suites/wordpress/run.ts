// `npm run fuzz:wordpress`: random requests to the REST API of an installed WordPress and to a service on its database, which
// have the same routes.
import { readFileSync } from 'node:fs'
import { start } from '../../src/app/boot.js'
import { inspect } from '../../src/app/plan.js'
import { ProcessRequestCounters } from '../../src/auth/process-request-counters.js'
import { RateLimiter } from '../../src/auth/rate-limiter.js'
import { silent } from '../../src/log/log.js'
import { dropOwnServers } from '../../test/support/servers/shared-server.js'
import { wordpressVersion } from '../../test/support/wordpress/wordpress-programs.js'
import { skipWithoutWordPress, startWordPressSite } from '../../test/support/wordpress/wordpress-site.js'
import { numericOptions } from '../support/numeric-options.js'
import { Random } from '../support/random.js'
import { callersOf } from './callers.js'
import { areAlike, isFailure, isHalfStored, isMismatch, isOnPurpose, isReading, responseOf } from './compare.js'
import { endpointsOf } from './endpoints.js'
import { makePeople, people } from './people.js'
import { products } from './products.js'
import { requestOf, type SentRequest } from './requests.js'
import { routesFor, shopRoutes } from './routes.js'
import { twinOf } from './twin.js'
import { userRequestOf } from './user-requests.js'

const defaults = { seed: 1, count: 300, first: 0, findings: 10, users: 10 }
/** `users`: how many of a hundred requests go to users and their application passwords. */
const { seed, count, first, findings: most, users } = numericOptions(defaults)
const unlimited = { failures: Infinity, secondsEach: 1 }
/** Never refuse an attempt, since WordPress limits none: a long run sends more wrong passwords than a service accepts. */
const limiters = {
  createLimiter: () => new RateLimiter({ pair: unlimited, network: unlimited, account: unlimited }, () => 0),
  requestCounters: new ProcessRequestCounters(() => performance.now()),
}
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** @throws Error when a program is missing and CI=true. */
const missing = skipWithoutWordPress()
if (missing !== false) print(missing)
else {
  try {
    await compare()
  } finally {
    await dropOwnServers()
  }
}

async function compare(): Promise<void> {
  const routes = routesFor(new Random(seed, 0))
  const plugin = readFileSync(new URL('plugin.php', import.meta.url), 'utf8')
  const site = await startWordPressSite({ plugins: { 'suite.php': plugin, 'routes.json': JSON.stringify(routes) } })
  const closes = [() => site.stop()]
  try {
    const { text: version, number } = wordpressVersion()
    const isOld = number < 7.1
    await site.php(products)
    await site.php(makePeople, people)
    const callers = await callersOf(site)
    const twin = await twinOf(site)
    closes.push(() => twin.drop())
    const options = { wordpress: { config: twin.configPath }, log: silent }
    const plan = await inspect(new URL('../../examples/shop/app/', import.meta.url), options)
    const service = await start(plan, endpointsOf(routes, `${site.url}/wp-json/`), { limiters })
    closes.push(() => service.close({ gracePeriod: 500 }))
    const { url } = await service.listen({ port: 0 })
    const sources = { routes: [...routes, ...shopRoutes], callers, home: site.url }
    await twin.keep()
    const started = performance.now()
    let [failed, left, findingCount] = [0, 0, 0]
    const report = (index: number, sent: SentRequest, lines: readonly string[]): void => {
      findingCount += 1
      if (findingCount > most) return
      print(`\nFINDING ${JSON.stringify(sent).slice(0, 60000)}`)
      for (const line of lines) print(`  ${line.slice(0, 60000)}`)
      print(`  again: npm run fuzz:wordpress -- --seed ${seed} --first ${index} --count 1 --users ${users}`)
    }
    /** @returns whether what it has written is to be compared. */
    const compareOne = async (index: number, sent: SentRequest): Promise<boolean> => {
      const [php, here] = await Promise.all([responseOf(site.url, sent), responseOf(url, sent)])
      if (isFailure(php) || isMismatch(php)) failed += 1
      else if (isOnPurpose(sent, php, here, isOld)) left += 1
      else if (areAlike(sent, php, here, isOld)) return !isReading(sent) && !isHalfStored(php)
      else report(index, sent, [`here:      ${JSON.stringify(here)}`, `WordPress: ${JSON.stringify(php)}`])
      return false
    }
    const all = Array.from({ length: count }, (_, n) => {
      const random = new Random(seed, first + n + 1)
      const isOfUsers = random.chance(users / 100)
      return {
        index: first + n,
        isOfUsers,
        sent: isOfUsers ? userRequestOf(random, callers, isOld) : requestOf(random, sources),
      }
    })
    const others = all.filter(({ isOfUsers }) => !isOfUsers).values()
    const work = async (): Promise<void> => {
      for (const { index, sent } of others) await compareOne(index, sent)
    }
    await Promise.all([work(), work(), work()])
    // They write: one after the other, and each begins with the same rows.
    for (const { index, sent } of all.filter(({ isOfUsers }) => isOfUsers)) {
      await twin.restore()
      if (!(await compareOne(index, sent))) continue
      const differences = await twin.differences()
      if (differences.length > 0)
        report(
          index,
          sent,
          differences.map((each) => JSON.stringify(each)),
        )
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    print(
      `\n${count} requests in ${seconds} s, ${count - failed - left} of them compared with WordPress ${version}; seed ${seed}`,
    )
    print(`${findingCount === 0 ? 'No findings' : `${findingCount} findings`}.`)
    // PHP fails at a few values of an unusual kind. When it fails at more, the comparison says nothing.
    const isBroken = failed > Math.max(3, count / 20)
    if (isBroken) print(`PHP failed at ${failed} of ${count} requests.`)
    process.exitCode = findingCount === 0 && !isBroken ? 0 : 1
  } finally {
    for (const close of closes.toReversed()) await close()
  }
}
