import { isDeepStrictEqual } from 'node:util'
import { RecordRejected } from '../../src/records/record.js'
import type { PostRow } from '../../src/storage/storage.js'

export interface Difference {
  readonly actual: unknown
  readonly expected: unknown
}

/** What `work` made of a case: the row, or the error in the form of the recording. */
export async function outcomeOf(work: () => Promise<PostRow | null>): Promise<unknown> {
  try {
    return { row: await work() }
  } catch (error) {
    if (!(error instanceof RecordRejected)) throw error
    return { $error: { code: error.code, message: error.message, data: error.data } }
  }
}

/** Compares the columns that the recording names; `{id}` in it stands for the record's own id. */
export function rowDifference(actual: unknown, expected: unknown): Difference | null {
  const row = rowIn(actual)
  const wanted = rowIn(expected)
  if (row === null || wanted === null) return difference(actual, expected)
  const shown = Object.entries(wanted).map(([column, value]) => {
    const own = row[column]
    const isOwnId = typeof value === 'string' && value.includes('{id}') && typeof own === 'string'
    return [column, isOwnId ? own.replace(new RegExp(`\\b${String(row['ID'])}\\b`), '{id}') : own] as const
  })
  return difference(Object.fromEntries(shown), wanted)
}

function rowIn(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || !('row' in value)) return null
  return typeof value.row === 'object' ? (value.row as Record<string, unknown> | null) : null
}

/** `null` when both say the same in JSON. */
export function difference(actual: unknown, expected: unknown): Difference | null {
  return isDeepStrictEqual(plain(actual), plain(expected)) ? null : { actual, expected }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown
}
