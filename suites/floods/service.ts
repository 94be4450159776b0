// The service that is flooded, in a process of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot } from 'as-rest-route'
import { answerCalls } from '../support/service-process.js'
import { FloodsApi } from './floods-api.js'
import { processorWait } from './processor-wait.js'
import { member, type Memory, type Usage } from './protocol.js'

const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-floods-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))

/** Milliseconds between two samples of memory. */
const interval = 50
let peak: Memory = { rss: 0, heapUsed: 0 }
let peakConnections = 0
let waitBefore = 0
let watch: NodeJS.Timeout | undefined

const connections = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length

function sample(): void {
  const { rss, heapUsed } = process.memoryUsage()
  peak = { rss: Math.max(peak.rss, rss), heapUsed: Math.max(peak.heapUsed, heapUsed) }
  peakConnections = Math.max(peakConnections, connections())
}

answerCalls({
  async start(): Promise<number> {
    const service = await boot([FloodsApi], {
      database: `sqlite:${join(folder, 'site.sqlite')}`,
      synchronous: 'NORMAL',
      environment: 'local',
      log: { info() {}, warn() {}, error() {} },
    })
    const { login, password } = member
    await service.users.create({ login, password, email: `${login}@floods.example`, role: 'administrator' })
    for (let number = 1; number <= 40; number += 1)
      await service.records.insert({ type: 'post', status: 'publish', title: `Post ${number}` })
    return (await service.listen({ port: 0 })).port
  },
  connections,
  /** Memory after a full collection. */
  collected(): Memory {
    globalThis.gc?.()
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    return { rss, heapUsed }
  },
  beginWatch(): void {
    peak = { rss: 0, heapUsed: 0 }
    peakConnections = 0
    waitBefore = processorWait()
    watch = setInterval(sample, interval)
  },
  endWatch(): Usage {
    clearInterval(watch)
    sample()
    return { peak, connections: peakConnections, processorWait: processorWait() - waitBefore }
  },
})
