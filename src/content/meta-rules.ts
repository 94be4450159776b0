import type { ValueProblem } from '../validation/problems.js'
import type { ArgumentRules } from '../validation/rules.js'
import { compileSchema, type CompiledSchema } from '../validation/schema.js'
import { requireFinite } from './meta.js'
import { RecordRejectedError, type RecordChange } from './record.js'
import type { MetaDeclaration, RecordType } from './record-type.js'

const compiled = new WeakMap<MetaDeclaration, CompiledSchema>()

/**
 * Metadata with the declared values converted to their types: `'12'` of an `integer` is 12. Declared keys that are null are left
 * out: see `removedMetaKeys`. Undefined stays.
 * @throws RecordRejectedError `invalid_meta_value` for a value against its rules.
 */
export function convertedMeta(
  meta: Readonly<Record<string, unknown>>,
  type: RecordType | null,
): Readonly<Record<string, unknown>> {
  if (type === null || type.meta.size === 0) return meta
  return Object.fromEntries(
    Object.entries(meta).flatMap(([key, value]) => {
      const declaration = type.meta.get(key)
      if (declaration === undefined) return [[key, value]]
      return value === null ? [] : [[key, convertedValue(`meta.${key}`, value, declaration)]]
    }),
  )
}

/**
 * The keys that a change removes: those of `remove_meta`, and declared ones that are null in `meta`. A stored NULL would be read as
 * the empty value of its type, which its rules may forbid.
 */
export function removedMetaKeys({ meta, remove_meta }: RecordChange, type: RecordType | null): readonly string[] {
  const named = remove_meta ?? []
  if (meta == null || type === null || type.meta.size === 0) return named
  return [...named, ...Object.keys(meta).filter((key) => meta[key] === null && type.meta.has(key))]
}

/**
 * @param path names the value in messages.
 * @throws RecordRejectedError `invalid_meta_value`.
 */
export function convertedValue(path: string, value: unknown, declaration: MetaDeclaration | undefined): unknown {
  // A Date is refused when the value is stored, with the remedy.
  if (declaration === undefined || value === undefined || value === null || value instanceof Date) return value
  if (typeof value === 'number') requireFinite(value, path)
  const schema = schemaOf(declaration)
  const problem = schema.validate(value, path)
  const converted = problem === null ? schema.sanitize(value, path) : { value, problem }
  if (converted.problem !== null)
    throw new RecordRejectedError('invalid_meta_value', messageOf(converted.problem, path))
  if (typeof converted.value !== 'number') return converted.value
  // The text '1e999' becomes an infinite number.
  requireFinite(converted.value, path)
  // A larger one loses digits when it is stored, and would be read as another number, such as 0.
  const number = Number(value)
  if (declaration.type === 'integer' && Math.abs(number) > Number.MAX_SAFE_INTEGER)
    throw new RecordRejectedError(
      'invalid_meta_value',
      `${path} is ${number}, which is not from -(2^53 - 1) to 2^53 - 1.`,
    )
  return converted.value
}

/** Not each of WordPress's messages names the value: `Invalid date.` */
function messageOf({ code, message, path: problemPath }: ValueProblem, path: string): string {
  if (problemPath === undefined) return message.includes(path) ? message : `${path}: ${message}`
  return code === 'rest_additional_properties_forbidden'
    ? `${problemPath} is not allowed.`
    : `${problemPath}: ${message}`
}

function schemaOf(declaration: MetaDeclaration): CompiledSchema {
  let schema = compiled.get(declaration)
  if (schema === undefined) {
    const { default: _, ...rules } = declaration
    schema = compileSchema(rules as ArgumentRules)
    compiled.set(declaration, schema)
  }
  return schema
}
