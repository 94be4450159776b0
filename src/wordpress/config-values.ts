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
      /** When the value is a closure: the name under which the scope knows it. */
      readonly closure?: string
    }

export const unsetText = (variable: string): string => `the variable ${variable} is not set in this process`

/**
 * Copies `unset` of the first operand that has it to a result that is computed from the operands.
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

/** The mode of code that is executed when the condition has the expected truth value. */
export function modeWhen(mode: Mode, condition: Evaluation, expected: boolean): Mode {
  if (mode.kind === 'skip') return mode
  const isTrue = truth(condition)
  if (isTrue === null)
    return mode.kind === 'maybe' || condition.isKnown ? mode : { kind: 'maybe', reason: condition.reason }
  return isTrue === expected ? mode : skip
}

/** The value as PHP converts it to a boolean; null when it is not known. */
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
