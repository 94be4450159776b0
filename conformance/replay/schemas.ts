import type { ArgumentRules } from '../../src/validation/rules.js'
import { compileSchema } from '../../src/validation/schema.js'
import { isMap } from '../../src/php/array-shape.js'
import type { VectorCase } from '../vectors.js'
import { errorOf } from './recorded-form.js'
import { replayCases, type Outcome, type ReplayFile } from './replay-cases.js'

/** `schema-*`: one value against one schema, and the same value sanitised without having been validated. */
export const replaySchemas: ReplayFile = (file) => replayCases(file, outcomeOf)

function outcomeOf(recorded: VectorCase): Outcome {
  const schema = compileSchema(recorded['schema'] as ArgumentRules)
  const problem = schema.validate(recorded['value'], 'value')
  const { value, problem: uncoercible } = schema.sanitize(recorded['value'], 'value')
  return {
    actual: {
      expect: problem === null ? { valid: true } : errorOf(problem),
      sanitized: uncoercible !== null && isProblem(value) ? { $error: errorOf(value) } : value,
    },
    excuse: isLost(recorded) ? 'JSON.parse cannot tell what PHP was given' : null,
  }
}

/** A value that cannot be coerced has its problem in its place; the recording marks it there, but not further inside. */
function isProblem(value: unknown): value is ReturnType<typeof errorOf> {
  return (
    isMap(value) && Object.keys(value).length === 3 && typeof value['code'] === 'string' && Object.hasOwn(value, 'data')
  )
}

/**
 * Whether `JSON.parse` cannot tell what PHP was given: a float without a fraction (`1.0` is `1`), an integer above 2^53
 * with other digits, or the order of keys that are integers.
 */
function isLost({ valueText, schemaText, value }: VectorCase): boolean {
  const numbers = [valueText, schemaText].join(' ').match(/-?\d[\d.eE+-]*/g) ?? []
  const losesNumber = numbers.some((text) => Number.isInteger(Number(text)) && String(Number(text)) !== text)
  return losesNumber || (isMap(value) && Object.keys(value).filter((key) => /^\d+$/.test(key)).length > 1)
}
