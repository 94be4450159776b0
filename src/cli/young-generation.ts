import { setFlagsFromString } from 'node:v8'

/**
 * Runs a start, of which nearly everything survives, without letting V8 enlarge the young generation for it. It would grow
 * to 32 MB with thousands of routes, and stay so, whatever garbage requests make. Afterwards it grows with that. Whoever
 * has chosen a size of his own keeps it.
 */
export async function withoutGrowth<T>(start: () => Promise<T>): Promise<T> {
  if (/semi[-_]space/.test(`${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`)) return start()
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return await start()
  } finally {
    // What V8 has without the flag.
    setFlagsFromString('--semi-space-growth-factor=2')
  }
}
