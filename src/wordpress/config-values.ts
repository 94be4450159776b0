/** A value that a constant of WordPress has. Arrays and objects are never read. */
export type PhpScalar = string | number | boolean | null

/** The value of an expression, or why it is not known. */
export type Evaluation =
  | {
      readonly isKnown: true
      readonly value: PhpScalar
      /** The environment variable that is missing, which makes the value false, or null for `env`. */
      readonly unset?: string
    }
  | {
      readonly isKnown: false
      /** Completes "The value cannot be read, because". */
      readonly reason: string
      /** The name of a closure for the scope. */
      readonly called?: string
    }

export const unsetText = (variable: string): string => `the variable ${variable} is not set in this process`

/**
 * A result that is computed from operands: where a variable is missing for one of them, it is for the result.
 */
export function withUnset(result: Evaluation, ...operands: readonly Evaluation[]): Evaluation {
  const missing = operands.find((operand) => operand.isKnown && operand.unset !== undefined)
  return result.isKnown && missing?.isKnown === true && missing.unset !== undefined
    ? { ...result, unset: missing.unset }
    : result
}

/** For an expression of wp-config.php that can be computed without PHP. */
export const knownValue = (value: PhpScalar): Evaluation => ({ isKnown: true, value })

/** For an expression that cannot be computed without PHP. @param reason see `Evaluation`. */
export const unknownValue = (reason: string): Evaluation & { readonly isKnown: false } => ({ isKnown: false, reason })

/** How the code at some place is treated: as executed, as not executed, or as perhaps executed. */
export type Mode =
  | { readonly kind: 'run' }
  | { readonly kind: 'skip' }
  | { readonly kind: 'maybe'; readonly reason: string }

export const run: Mode = { kind: 'run' }
export const skip: Mode = { kind: 'skip' }

/** The mode of code that is executed where the value is true, or where it is false. */
export function modeWhen(mode: Mode, condition: Evaluation, wanted: boolean): Mode {
  if (mode.kind === 'skip') return mode
  const isTrue = truth(condition)
  if (isTrue === null)
    return mode.kind === 'maybe' || condition.isKnown ? mode : { kind: 'maybe', reason: condition.reason }
  return isTrue === wanted ? mode : skip
}

/** Whether PHP takes the value for true; null when it is not known. */
export function truth(evaluation: Evaluation): boolean | null {
  if (!evaluation.isKnown) return null
  const { value } = evaluation
  return typeof value === 'string' ? value !== '' && value !== '0' : Boolean(value)
}

/** The value as PHP converts it to a string. */
export function scalarText(value: PhpScalar): string {
  if (typeof value === 'boolean') return value ? '1' : ''
  return value === null ? '' : String(value)
}
