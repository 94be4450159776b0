import { ignoreRejection, isThenable } from '../base/thenable.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { isMap } from '../php/array-shape.js'
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.js'

/** The part of a schema of Zod that is used here. Zod is no dependency of this package. */
interface ZodSchema extends StandardSchema {
  /** @throws what a function of the schema throws, and an error of Zod for one that returns a promise. */
  readonly safeParse: (value: unknown) => ParsedValue
  readonly safeParseAsync: (value: unknown) => Promise<ParsedValue>
  /** Left out in Zod 3. */
  readonly _zod?: {
    readonly def: Readonly<Record<string, unknown>>
    /** A promise only when a function of the schema has returned one, or the schema has a transformation of Zod Mini. */
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
 * The validator of a schema of Zod for arguments. A synchronous validation may create promises that are then not awaited, so that their
 * rejections are unhandled. Zod's own `~standard.validate` begins with one for each value. This validator uses one only for schemas
 * that cannot create promises, and for values that have created none.
 */
export function zodValidator(schema: ZodSchema): (value: unknown) => MaybePromise<StandardResult<unknown>> {
  const validateNow = (value: unknown) => resultOf(schema.safeParse(value))
  const validateLater = async (value: unknown) => resultOf(await schema.safeParseAsync(value))
  const run = asynchronousRunOf(schema)
  // Zod 3 tells in no other way whether a value needs to be awaited.
  if (run === null) return validateLater
  // Zod compiles objects for synchronous validation only: it is four times as fast.
  if (promisesOf(schema) === 'never') return validateNow
  let isAsync = false
  return (value) => {
    if (isAsync) return validateLater(value)
    const payload = run(value)
    // Only `safeParse` and `safeParseAsync` write the messages of issues, so a refused value is validated again.
    if (!isThenable(payload)) return payload.issues.length === 0 ? { value: payload.value } : validateNow(value)
    isAsync = true
    return Promise.resolve(payload).then((settled) =>
      settled.issues.length === 0 ? { value: settled.value } : validateLater(value),
    )
  }
}

/**
 * The validator of a schema of Zod for responses, which never waits.
 * @returns null for a value of which a function of the schema returned a promise.
 */
export function synchronousZodValidator(schema: ZodSchema): (value: unknown) => StandardResult<unknown> | null {
  // For a promise, `safeParse` throws and leaves it unawaited. So runs are asynchronous until one has created no promise.
  const run = promisesOf(schema) === 'by functions' ? asynchronousRunOf(schema) : null
  let mayBeAsync = run !== null
  return (value) => {
    if (run !== null && mayBeAsync) {
      const payload = run(value)
      if (isThenable(payload)) {
        ignoreRejection(payload)
        return null
      }
      mayBeAsync = false
      if (payload.issues.length === 0) return { value: payload.value }
    }
    try {
      return resultOf(schema.safeParse(value))
    } catch (error) {
      if (!isAsyncError(error)) throw error
      mayBeAsync = true
      return null
    }
  }
}

/** The asynchronous validation of a value; null for Zod 3, which would always return a promise. */
function asynchronousRunOf({ _zod: core }: ZodSchema): ((value: unknown) => Payload | PromiseLike<Payload>) | null {
  return typeof core?.run === 'function' ? (value) => core.run({ value, issues: [] }, { async: true }) : null
}

/** The errors of Zod 3 and 4 have no name of their own. */
const isAsyncError = (error: unknown): boolean =>
  error instanceof Error && /encountered .*during synchronous parse/i.test(error.message)

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

/**
 * Whether an asynchronous run of a schema returns promises: never, only when a function of the application has returned one, or
 * unknown.
 */
function promisesOf(schema: ZodSchema): 'never' | 'by functions' | 'unknown' {
  if (schema._zod === undefined) return 'unknown'
  let promises: 'never' | 'by functions' = 'never'
  const parts = new Set<unknown>([schema])
  // The loop also visits the parts that are added meanwhile.
  for (const part of parts) {
    const { def } = (part as Required<ZodSchema>)._zod
    const { type, check, transform } = def
    // A transformation of Zod Mini, whose schemas have fewer methods, returns a promise of every result.
    const isKnown =
      check !== undefined || synchronousTypes.has(type) || (type === 'transform' && 'refine' in (part as object))
    if (!isKnown) return 'unknown'
    if (check === functionCheck || transform !== undefined) promises = 'by functions'
    // The values of these are no schemas, and reading them calls a function of the application.
    const { defaultValue: _, catchValue: __, ...members } = Object.getOwnPropertyDescriptors(def)
    for (const name of Object.keys(members)) for (const inner of partsIn(def[name])) parts.add(inner)
  }
  return promises
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
