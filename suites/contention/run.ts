// `npm run test:contention`: clients of several processes create, rename and delete the same records, users and metadata. None
// sees an error of the database, and afterwards nothing is there twice and no change is lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeAdapterOf } from '../../src/app/stores.js'
import { contentionFindings } from '../../test/contracts/contention/findings.js'
import { prepareContention } from '../../test/contracts/contention/site.js'
import { freshDatabaseOf } from '../../test/support/servers/named-server.js'
import { dropOwnServers } from '../../test/support/servers/shared-server.js'
import { numericOptions } from '../support/numeric-options.js'
import { ServiceProcess } from '../support/service-process.js'
import type { Contended, Contention } from './protocol.js'

/** `--database postgres|mariadb|galera|URL`; default: a file of SQLite. The processes write at different nodes of a cluster. */
const words = process.argv.slice(2)
const at = words.indexOf('--database')
const [, server = null] = at === -1 ? [] : words.splice(at, 2)
const { seed, seconds, clients, processes } = numericOptions({ seed: 1, seconds: 5, clients: 50, processes: 2 }, words)

const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-contention-'))
const database = server === null ? null : await freshDatabaseOf(server)
const url = database?.url ?? `sqlite:${join(folder, 'site.sqlite')}`
const nodes = database?.nodes ?? [url]
const storage = await storeAdapterOf(url).open(url, {})
const workers = Array.from({ length: processes }, () => new ServiceProcess(new URL('./clients.ts', import.meta.url)))
try {
  const keeper = await prepareContention(storage)
  const runs = workers.map((worker, index) => {
    const share = Math.floor((clients + index) / processes)
    const contention: Contention = {
      url: nodes[index % nodes.length] ?? url,
      keeper,
      seed: seed * 100 + index,
      seconds,
      clients: share,
    }
    return worker.call<Contended>('contend', contention)
  })
  const acknowledged = (await Promise.all(runs)).map((run) => run.acknowledged)
  const findings = await contentionFindings(storage, keeper, acknowledged)
  const responses = acknowledged.reduce((sum, own) => sum + own.responses, 0)
  const created = acknowledged.reduce((sum, own) => sum + own.created.length, 0)
  process.stdout.write(
    `${server ?? 'SQLite'}, seed ${seed}: ${clients} clients of ${processes} processes for ${seconds} s, ${responses} responses, ` +
      `${created} records created, ${findings.length} findings\n`,
  )
  for (const finding of findings) process.stdout.write(`  ${finding}\n`)
  process.exitCode = findings.length > 0 ? 1 : 0
} finally {
  await Promise.all(workers.map((worker) => worker.end()))
  await storage.close()
  await database?.drop()
  await dropOwnServers()
  rmSync(folder, { recursive: true, force: true })
}
