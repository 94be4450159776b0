import { setFlagsFromString } from 'node:v8'

/**
 * Runs a start with V8's young generation at its initial size. Nearly all objects of a start survive, for which V8 would
 * enlarge the young generation to 32 MB in a service with thousands of routes, and would never shrink it again. After the
 * start it grows as requests need it. A size that is set on the command line or in `NODE_OPTIONS` is not changed.
 */
export async function withInitialYoungGeneration<T>(start: () => Promise<T>): Promise<T> {
  if (/semi[-_]space/.test(`${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`)) return start()
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return await start()
  } finally {
    // The default of V8.
    setFlagsFromString('--semi-space-growth-factor=2')
  }
}
