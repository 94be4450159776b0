import { typeOfValue } from '../base/value-type.js'
import type { MetaComparison, MetaOperator } from '../database/meta-filter.js'
import { numberOfMoment, type MomentKind } from '../database/moment.js'
import type { MetaDeclaration } from './record-type.js'

/** A value that metadata is compared with. A list means one of its values. */
export type MetaValue = string | number | boolean | readonly (string | number)[]

/**
 * The declaration of a key for the types of a query; undefined when it is not registered.
 * @throws UndeclaredNameError for a key that they do not have.
 */
export type DeclarationOf = (key: string) => MetaDeclaration | undefined

/** Maximum number of values in a list. Each length of a list is a statement of its own. */
const maxValues = 100

/** Numbers where the key is registered as a number, or where it is not registered and all values are numbers. */
export function typeFor(declaration: MetaDeclaration | undefined, values: readonly unknown[]): 'number' | 'text' {
  if (declaration !== undefined) return isNumeric(declaration) ? 'number' : 'text'
  return values.length > 0 && values.every((value) => typeof value === 'number') ? 'number' : 'text'
}

export const isNumeric = (declaration: MetaDeclaration | undefined): boolean =>
  declaration?.type === 'number' || declaration?.type === 'integer'

/**
 * The comparison of a metadata key with values.
 * @throws TypeError for a value that is neither text nor a finite number. @throws RangeError for too many values, and for a
 *   text that is not a date or time when `as` asks for one.
 */
export function compared(
  key: string,
  compare: MetaOperator,
  values: readonly unknown[],
  as: MetaComparison['as'],
): MetaComparison {
  if (values.length > maxValues) throw new RangeError(`The condition of '${key}' has more than ${maxValues} values.`)
  const converted = values.map((value) => {
    if (typeof value !== 'string' && (typeof value !== 'number' || !Number.isFinite(value)))
      throw new TypeError(
        `A value of the condition of '${key}' must be a text or a finite number; it is ${typeof value === 'number' ? value : typeOfValue(value)}.`,
      )
    if (as === 'number') return Number(value)
    return as === 'text' || as === 'text without case' ? String(value) : momentOf(key, String(value), as)
  })
  if (converted.some((value) => Number.isNaN(value)))
    throw new TypeError(`The metadata '${key}' is a number, and is compared with a text that is not a number.`)
  return { key, compare, as, values: converted }
}

const examples: Readonly<Record<MomentKind, string>> = {
  date: 'date, such as 2026-01-05',
  datetime: 'date with a time, such as 2026-01-05 10:30:00',
  time: 'time, such as 10:30:00',
}

function momentOf(key: string, text: string, kind: MomentKind): number {
  const number = numberOfMoment(text, kind)
  if (number === null)
    throw new RangeError(
      `The metadata '${key}' is compared with '${text}', which is no ${examples[kind]}: check an argument before the query.`,
    )
  return number
}
