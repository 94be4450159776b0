import type { Problem } from '../http/rest-error.js'
import { toFloat, toText } from '../php/cast.js'
import { isLonger, isShorter } from '../php/text-length.js'
import type { CompiledType, Rules } from './compiled-type.js'
import { compilePattern } from './pattern.js'
import { notOfType, patternMismatch, tooLong, tooShort } from './problems.js'
import type { WorkLimit } from './work-limit.js'

/** `type: string`: text only; a JSON number is rejected. The length is checked first, then the pattern. */
export function compileString(rules: Rules): CompiledType {
  const checks: ((text: string, path: string, work: WorkLimit) => Problem | null)[] = []
  const { minLength, maxLength, pattern } = rules
  if (minLength !== undefined) {
    const minimum = toFloat(minLength)
    checks.push((text, path) => (isShorter(text, minimum) ? tooShort(path, minLength) : null))
  }
  if (maxLength !== undefined) {
    const maximum = toFloat(maxLength)
    checks.push((text, path) => (isLonger(text, maximum) ? tooLong(path, maxLength) : null))
  }
  if (pattern !== undefined) {
    const source = toText(pattern)
    const matches = compilePattern(source)
    checks.push((text, path, work) => (matches(text, work) ? null : patternMismatch(path, source)))
  }
  return {
    validate(value, path, work) {
      if (typeof value !== 'string') return notOfType(path, 'string')
      for (const check of checks) {
        const problem = check(value, path, work)
        if (problem) return problem
      }
      return null
    },
    coerce: toText,
  }
}
