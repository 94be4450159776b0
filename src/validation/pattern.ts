import { argumentPattern, lowerPattern, PatternError, translateLowered, withoutOuterRepeats } from '../pcre/pattern.js'
import { growthOf } from '../pcre/safety.js'
import { fault, type Fault } from '../base/fault.js'
import { isLonger } from '../php/text-length.js'

/**
 * Roughly how many steps a pattern may take for each character of a request. A text that could take more does not
 * match, as in PHP, where a pattern that exceeds the limit of backtracking does not.
 */
const stepsPerCharacter = 500

/** The longest text on which a pattern of exponential time is tried, in code points. */
const maxExponentialLength = 12

/**
 * Compiles the `pattern` of a text or the name of a `patternProperties` entry (docs/wire.md#argument-patterns).
 * @returns whether a text matches. Nothing matches a pattern that PCRE refuses, or that has no JavaScript equivalent.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  const understood = understand(pattern)
  if (understood instanceof PatternError) return () => false
  const { matches, longest } = understood
  return longest === Infinity ? matches : (text) => !isLonger(text, longest) && matches(text)
}

/**
 * What is wrong with a pattern; null for nothing.
 * @param maxLength of the texts that the pattern is held against, in code points.
 */
export function patternFault(pattern: string, maxLength: number): Fault | null {
  const understood = understand(pattern)
  if (understood instanceof PatternError)
    return fault('pattern-invalid', `pattern '${pattern}' cannot be used: ${understood.sentence}`)
  const { degree, culprit, longest } = understood
  const place = culprit === null ? '' : `, because of '${culprit}'`
  if (degree === Infinity) return fault('pattern-slow', `pattern '${pattern}' can take exponential time${place}.`)
  if (maxLength <= longest) return null
  return fault(
    'pattern-slow',
    `pattern '${pattern}' can take time that grows with the length of the text to the power of ${degree}${place}. ` +
      `Anchor it with '^', let its parts take different characters, or declare a 'maxLength' of at most ${longest}.`,
  )
}

interface Understood {
  readonly matches: (text: string) => boolean
  /** The work grows with this power of the length of the text. */
  readonly degree: number
  readonly culprit: string | null
  /** The longest text that is tried, in code points. */
  readonly longest: number
}

function understand(pattern: string): Understood | PatternError {
  try {
    const lowered = withoutOuterRepeats(lowerPattern(pattern, argumentPattern))
    const { degree, culprit } = growthOf(lowered)
    return { matches: translateLowered(lowered).matches, degree, culprit, longest: longestText(degree) }
  } catch (error) {
    if (error instanceof PatternError) return error
    throw error
  }
}

function longestText(degree: number): number {
  if (degree <= 1) return Infinity
  return degree === Infinity ? maxExponentialLength : Math.floor(stepsPerCharacter ** (1 / (degree - 1)))
}
