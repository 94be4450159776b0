import type { DiagnosticCode } from '../base/startup-errors.js'
import { isMap } from '../php/array-shape.js'

/** A fault of an entry of the option `jobs`. */
type Fault = readonly [option: string, code: DiagnosticCode, message: string]

const keys = ['name', 'attempts', 'retry_delay', 'timeout', 'run']
/** Seconds. */
const day = 86_400

/** The faults of the option `jobs`. Its entries may be any values. */
export function jobFaults(jobs: readonly unknown[] = []): readonly Fault[] {
  const seen = new Set<unknown>()
  return jobs.flatMap((entry, index): Fault[] => {
    const option = `jobs[${index}]`
    const reason = invalidReason(entry)
    if (reason !== null) return [[option, 'job-invalid', reason]]
    const { name } = entry as { readonly name: string }
    if (seen.has(name))
      return [[option, 'job-name-taken', `another job has the name '${name}'. Name each differently.`]]
    seen.add(name)
    return []
  })
}

function invalidReason(entry: unknown): string | null {
  if (!isMap(entry)) return `it must be what job({ name, run }) returns.`
  const { name, attempts, retry_delay, timeout, run } = entry
  if (typeof name !== 'string' || !/^[a-z0-9_.-]{1,100}$/.test(name))
    return `its name must be 1 to 100 characters of a-z, 0-9, _, . and -, such as 'send-ticket'.`
  if (typeof run !== 'function') return `${name} has no function run(payload).`
  const unknown = Object.keys(entry).find((key) => !keys.includes(key))
  if (unknown !== undefined) return `${name} has the unknown key ${unknown}; the keys are ${keys.join(', ')}.`
  if (attempts !== undefined && !(Number.isInteger(attempts) && isWithin(attempts, 1, 100)))
    return `${name}: attempts must be a whole number from 1 to 100.`
  if (retry_delay !== undefined && !isWithin(retry_delay, 0, day))
    return `${name}: retry_delay must be seconds from 0 to 86,400.`
  if (timeout !== undefined && !(isWithin(timeout, 0, day) && timeout !== 0))
    return `${name}: timeout must be seconds above 0, at most 86,400.`
  return null
}

const isWithin = (value: unknown, least: number, greatest: number): boolean =>
  typeof value === 'number' && value >= least && value <= greatest
