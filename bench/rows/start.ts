import { setTimeout as sleep } from 'node:timers/promises'
import type { Data } from '../data/data.js'
import { median } from '../load/load.js'
import type { Options } from '../options.js'
import { below, rounded, type Section } from '../report/check.js'
import { npmStart, npmStartOfPeer, peer, plainStart, type Settings } from '../servers/commands.js'
import { startServer } from '../servers/server.js'

/** Measures the time from the command to the first response, with a database that exists, and the memory of a service without requests. */
export async function starting({ file }: Data, options: Options): Promise<Section> {
  const settings: Settings = { node: options.node, database: file, synchronous: 'FULL' }
  const barest = options.peers.filter((name) => name === 'node-http')
  const commands = [
    npmStart(settings),
    ...barest.map((name) => npmStartOfPeer(name, settings)),
    plainStart(settings),
    ...options.peers.map((name) => peer(name, settings)),
  ]
  const starts = commands.map(() => [] as number[])
  const memories = commands.map(() => [] as number[])
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, command] of commands.entries()) {
      const server = await startServer(command)
      try {
        await sleep(options.quick ? 100 : 2000)
        starts[index]?.push(server.startMilliseconds)
        memories[index]?.push(server.memoryMegabytes())
      } finally {
        await server.stop()
      }
    }
  }
  const rows = commands.map(({ name }, index) => [
    name,
    rounded(median(starts[index] ?? [])),
    rounded(median(memories[index] ?? [])),
  ])
  return {
    series: [{ id: 'start', title: 'Start', columns: ['command', 'first response, ms', 'idle memory, MB'], rows }],
    checks: [
      below('start-npm', 'npm start to first response, warm database', median(starts[0] ?? []), 300, 'ms'),
      below('start-memory', 'idle memory of npm start, without npm itself', median(memories[0] ?? []), 80, 'MB'),
    ],
  }
}
