import { argumentPattern, lowerPattern, PatternError, translateLowered, withoutOuterRepeats } from '../pcre/pattern.js'
import { growthOf } from '../pcre/safety.js'
import { fault, type Fault } from '../base/fault.js'
import { isLonger } from '../php/text-length.js'
import type { WorkLimit } from './work-limit.js'

/**
 * Approximate maximum of steps for each character of a text. A text that may take more does not match. PHP has such a
 * limit as well: `pcre.backtrack_limit`.
 */
const maxStepsPerCharacter = 500

/** Steps of a pattern in the time of one unit of work. */
const stepsPerUnit = 100

/** The longest text on which a pattern of exponential time is tried, in code points. */
const maxExponentialLength = 12

/**
 * Compiles the `pattern` of a text or the name of a `patternProperties` entry (docs/wire.md#argument-patterns).
 * @returns whether a text matches. Nothing matches a pattern that PCRE refuses, or that has no JavaScript equivalent.
 */
export function compilePattern(pattern: string): (text: string, work: WorkLimit) => boolean {
  const analysis = analyze(pattern)
  if (analysis instanceof PatternError) return () => false
  const { matches, degree, maxTriedLength } = analysis
  if (maxTriedLength === Infinity) return matches
  return (text, work) => {
    if (isLonger(text, maxTriedLength)) return false
    work.spend((degree === Infinity ? 2 ** text.length : text.length ** degree) / stepsPerUnit)
    return matches(text)
  }
}

/**
 * Why a declared pattern is refused: it is invalid, or too slow for the length of its texts; null when it is accepted.
 * @param maxLength of the texts that the pattern validates, in code points.
 */
export function patternFault(pattern: string, maxLength: number): Fault | null {
  const analysis = analyze(pattern)
  if (analysis instanceof PatternError)
    return fault('pattern-invalid', `pattern '${pattern}' cannot be used: ${analysis.sentence}`)
  const { degree, culprit, maxTriedLength } = analysis
  const cause = culprit === null ? '' : `, because of '${culprit}'`
  if (degree === Infinity) return fault('pattern-slow', `pattern '${pattern}' can take exponential time${cause}.`)
  if (maxLength <= maxTriedLength) return null
  return fault(
    'pattern-slow',
    `pattern '${pattern}' can take time that grows with the length of the text to the power of ${degree}${cause}. ` +
      `Anchor it with '^', let its parts take different characters, or declare a 'maxLength' of at most ${maxTriedLength}.`,
  )
}

interface PatternAnalysis {
  readonly matches: (text: string) => boolean
  /** The time grows with this power of the length of the text. `Infinity` stands for exponential time. */
  readonly degree: number
  /** The part of the pattern that causes the growth, as written; null when the growth is linear or the cause unknown. */
  readonly culprit: string | null
  /** Longer texts do not match. In code points. */
  readonly maxTriedLength: number
}

/** @returns the error when PCRE refuses the pattern, or JavaScript has no equivalent. */
function analyze(pattern: string): PatternAnalysis | PatternError {
  // WordPress writes `#` around a pattern and a backslash before each `#` inside, so that `\#` ends it.
  const escaped = /^(?:[^\\]|\\[^#])*?\\#/s.exec(pattern)
  if (escaped)
    return new PatternError(`WordPress escapes '#' itself: write '#'.`, pattern, escaped[0].length - '\\#'.length)
  const delimited = pattern.replaceAll('#', '\\#')
  try {
    const lowered = withoutOuterRepeats(lowerPattern(delimited, argumentPattern))
    const { degree, culprit } = growthOf(lowered)
    return { matches: translateLowered(lowered).matches, degree, culprit, maxTriedLength: maxTriedLengthOf(degree) }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const added = delimited.slice(0, error.index).split('\\#').length - 1
    return new PatternError(error.message, pattern, error.index - added)
  }
}

/** A text of `n` characters takes `n ** degree` steps, which is `n ** (degree - 1)` for each character. */
function maxTriedLengthOf(degree: number): number {
  if (degree <= 1) return Infinity
  return degree === Infinity ? maxExponentialLength : Math.floor(maxStepsPerCharacter ** (1 / (degree - 1)))
}
