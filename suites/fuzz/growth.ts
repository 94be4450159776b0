import type { Measurement } from './protocol.js'

/**
 * How much more heap the late windows may have than the early ones, in bytes and as a part of the early heap. Caches and
 * counters of the service are bounded, and nearly full after a third of the requests.
 */
const heapTolerance = { bytes: 6 * 1_048_576, part: 0.1 }
/** Sockets and timers that are being closed while they are counted. */
const handleTolerance = 8

/**
 * Compares the second third of the windows with the last one. Code is compiled and caches are filled in the first third.
 * @returns what has grown; null when nothing has, or when there are fewer than nine windows.
 */
export function growthFault(measurements: readonly Measurement[]): string | null {
  const third = Math.floor(measurements.length / 3)
  if (third < 3) return null
  const early = measurements.slice(third, 2 * third)
  const late = measurements.slice(-third)
  const heapBefore = median(early.map(({ heapUsed }) => heapUsed))
  const heapAfter = median(late.map(({ heapUsed }) => heapUsed))
  if (heapAfter > heapBefore * (1 + heapTolerance.part) + heapTolerance.bytes)
    return `The heap grew from ${inMiB(heapBefore)} to ${inMiB(heapAfter)} MiB.`
  const handlesBefore = median(early.map(handleCount))
  const handlesAfter = median(late.map(handleCount))
  if (handlesAfter > handlesBefore + handleTolerance)
    return `The handles grew from ${handlesBefore} to ${handlesAfter}: ${JSON.stringify(late.at(-1)?.handles)}`
  return null
}

function handleCount({ handles }: Measurement): number {
  return Object.values(handles).reduce((sum, count) => sum + count, 0)
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function inMiB(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1)
}
