// `npm run test:faults`: kills, stops, broken databases, clocks that jump, and handlers that misbehave.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { numericOptions } from '../support/numeric-options.js'
import { buildApplication } from './build.js'
import { setClocks } from './clocks.js'
import { breakDatabases } from './databases.js'
import { stopBlocked } from './hangs.js'
import { misbehave } from './handlers.js'
import { killUnderLoad } from './kills.js'
import { stopUnderLoad } from './stops.js'

const { seed, kills, stops, restarts, damages, jumps, rounds } = numericOptions({
  seed: 1,
  kills: 4,
  stops: 4,
  restarts: 1,
  damages: 12,
  jumps: 30,
  rounds: 60,
})

process.stdout.write(`seed ${seed}\n`)
const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-faults-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const begin = performance.now()
await buildApplication()
// It waits for the deadline of a stop, most of the time without a processor.
const blocked = stopBlocked(folder)
const reports = [
  await misbehave(seed, rounds),
  await setClocks(seed, jumps),
  await breakDatabases(folder, seed, damages),
  await stopUnderLoad(folder, seed, stops, 'SIGTERM'),
  await stopUnderLoad(folder, seed, restarts, 'SIGHUP'),
  await killUnderLoad(folder, seed, kills),
  await blocked,
]
const failed = reports.reduce((sum, { failures }) => sum + failures.length, 0)
process.stdout.write(`${((performance.now() - begin) / 1000).toFixed(0)} s, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0
