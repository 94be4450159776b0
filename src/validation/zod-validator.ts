import { isThenable } from '../base/thenable.js'
import { isMap } from '../php/array-shape.js'
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.js'
import type { StandardValidator } from './standard-validator.js'

/** The part of a schema of Zod that is used here. Zod is no dependency of this package. */
interface ZodSchema extends StandardSchema {
  readonly safeParseAsync: (value: unknown) => Promise<ParsedValue>
  /** Left out in Zod 3. */
  readonly _zod?: {
    readonly def: Readonly<Record<string, unknown>>
    /** A promise only when a part of the schema has returned one. */
    readonly run: (payload: Payload, context: { readonly async: true }) => Payload | PromiseLike<Payload>
  }
}

type ParsedValue =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly StandardIssue[] } }

/** A value with the issues found so far, which have no messages yet. */
interface Payload {
  readonly value: unknown
  readonly issues: unknown[]
}

export const isZod = (schema: StandardSchema): schema is ZodSchema =>
  schema['~standard'].vendor === 'zod' && typeof (schema as Partial<ZodSchema>).safeParseAsync === 'function'

/**
 * The validator of a schema of Zod. `~standard.validate` of Zod tries each value without waiting first, and drops the promises
 * of that trial: it is called only for schemas that cannot make promises, and for values that have made none.
 */
export function zodValidator(schema: ZodSchema): StandardValidator {
  const { _zod: core } = schema
  const validateLater = async (value: unknown) => resultOf(await schema.safeParseAsync(value))
  // Zod 3 tells in no other way whether a value needs to be awaited.
  if (typeof core?.run !== 'function') return { mayBeAsync: true, validate: validateLater }
  const validateNow = schema['~standard'].validate as (value: unknown) => StandardResult<unknown>
  // Zod compiles objects for synchronous validation only: it is four times as fast.
  if (!mayMakePromises(schema)) return { mayBeAsync: false, validate: validateNow }
  let isAsync = false
  return {
    mayBeAsync: true,
    validate(value) {
      if (isAsync) return validateLater(value)
      const payload = core.run({ value, issues: [] }, { async: true })
      // The messages of issues are known to `validate` and `safeParseAsync` alone, so that a refused value is validated again.
      if (!isThenable(payload)) return payload.issues.length === 0 ? { value: payload.value } : validateNow(value)
      isAsync = true
      return Promise.resolve(payload).then((settled) =>
        settled.issues.length === 0 ? { value: settled.value } : validateLater(value),
      )
    },
  }
}

const resultOf = (parsed: ParsedValue): StandardResult<unknown> =>
  parsed.success ? { value: parsed.data } : { issues: parsed.error.issues }

/** Types of schemas whose own code makes no promise. Schemas within them are examined as well. */
const synchronousTypes: ReadonlySet<unknown> = new Set(
  (
    'string number int boolean bigint symbol null undefined void any unknown never date nan file enum literal object array tuple ' +
    'record map set union intersection optional nullable nonoptional default prefault catch success readonly pipe template_literal'
  ).split(' '),
)

/** Checks with a function of an application that is awaited: `refine`, `superRefine`, `check`. */
const functionCheck = 'custom'

/** Whether a part of a schema calls functions of an application whose promises are awaited, or is not known to call none. */
function mayMakePromises(schema: unknown): boolean {
  const parts = new Set<unknown>([schema])
  // The loop also visits the parts that are added meanwhile.
  for (const part of parts) {
    const { def } = (part as Required<ZodSchema>)._zod
    const { type, check, transform } = def
    if (check === functionCheck || (check === undefined && !synchronousTypes.has(type)) || transform !== undefined)
      return true
    // The values of these are no schemas, and reading them calls a function of the application.
    const { defaultValue: _, catchValue: __, ...members } = Object.getOwnPropertyDescriptors(def)
    for (const name of Object.keys(members)) for (const inner of partsIn(def[name])) parts.add(inner)
  }
  return false
}

/** The schemas and checks in a member of a definition. */
function partsIn(member: unknown): readonly unknown[] {
  if (typeof member !== 'object' && typeof member !== 'function') return []
  if (member === null) return []
  if ('_zod' in member) return [member]
  if (Array.isArray(member)) return member.filter(isPart)
  return isMap(member) ? Object.values(member).filter(isPart) : []
}

const isPart = (value: unknown): boolean => typeof value === 'object' && value !== null && '_zod' in value
