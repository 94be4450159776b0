import { isDeepStrictEqual } from 'node:util'
import { RecordRejectedError } from '../../src/content/record.js'
import type { PostRow } from '../../src/database/storage.js'

export interface Outcome {
  readonly passed: boolean
  /** In the form of the recorded `expect`. */
  readonly actual: unknown
}

/** What `work` made of a case: the row, or the error in the form of the recording. */
export async function outcomeOf(work: () => Promise<PostRow | null>): Promise<unknown> {
  try {
    return { row: await work() }
  } catch (error) {
    if (!(error instanceof RecordRejectedError)) throw error
    return { $error: { code: error.code, message: error.message, data: error.data } }
  }
}

/** Of a row, only the columns that the recording names count; `{id}` in it stands for the record's own id. */
export function compareRow(actual: unknown, expected: unknown): Outcome {
  const row = rowIn(actual)
  const wanted = rowIn(expected)
  if (row === null || wanted === null) return compare(actual, expected)
  const shown = Object.entries(wanted).map(([column, value]) => {
    const own = row[column]
    const isOwnId = typeof value === 'string' && value.includes('{id}') && typeof own === 'string'
    return [column, isOwnId ? own.replace(new RegExp(`\\b${String(row['ID'])}\\b`), '{id}') : own] as const
  })
  return compare({ row: Object.fromEntries(shown) }, { row: wanted })
}

function rowIn(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || !('row' in value)) return null
  return typeof value.row === 'object' ? (value.row as Record<string, unknown> | null) : null
}

/** Passed when both say the same in JSON. */
export function compare(actual: unknown, expected: unknown): Outcome {
  return { passed: isDeepStrictEqual(plain(actual), plain(expected)), actual }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown
}
