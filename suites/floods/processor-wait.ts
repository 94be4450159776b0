import { readFileSync } from 'node:fs'

/** Milliseconds for which the main thread of this process was ready and had no processor; 0 where the system does not tell. */
export function processorWait(): number {
  try {
    const [, wait] = readFileSync('/proc/self/schedstat', 'latin1').split(' ')
    return Number(wait) / 1e6
  } catch {
    return 0
  }
}
