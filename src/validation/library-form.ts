import { isObject } from '../base/value-type.js'
import { isMap } from '../php/array-shape.js'
import { jsonSchemaFrom, type StandardSchema } from './standard-schema.js'

/** The type that a schema of a library requires, and the types of its parts. */
export interface LibraryForm {
  /** As the library names it; null when the schema may accept any value, or when its type is unknown. */
  readonly type: string | null
  /** Of an object: the schemas of its properties. */
  readonly properties: ReadonlyMap<string, LibraryForm>
  /** Of a list: the schema of its items. */
  readonly items: LibraryForm | null
  /** Of a union: its members. */
  readonly options: readonly LibraryForm[]
}

const anyForm: LibraryForm = { type: null, properties: new Map(), items: null, options: [] }

/** The form of a part of a schema. */
type FormOf = (part: unknown) => LibraryForm

/**
 * The form of a schema of Zod 4, Valibot or ArkType. Schemas of other libraries have no known type. The JSON Schema of Zod
 * is not used: it describes `z.coerce.number()`, which accepts text, as a number.
 */
export function libraryFormOf(schema: StandardSchema): LibraryForm {
  switch (schema['~standard'].vendor) {
    case 'zod':
      return once(zodForm)(schema)
    case 'valibot':
      return once(valibotForm)(schema)
    case 'arktype':
      return once(jsonSchemaForm)(jsonSchemaFrom(schema, 'input'))
    default:
      return anyForm
  }
}

/** Each part has one form, also where a recursive schema contains it again. */
function once(make: (part: unknown, formOf: FormOf) => LibraryForm): FormOf {
  const forms = new Map<unknown, LibraryForm>()
  const formOf: FormOf = (part) => {
    let form = forms.get(part)
    if (!form) forms.set(part, (form = make(part, formOf)))
    return form
  }
  return formOf
}

/** Schemas around another one that accept what it accepts, and absent values or null. */
const wrappers: ReadonlySet<unknown> = new Set(
  (
    'optional exact_optional nullable nullish undefinedable nonoptional non_optional non_nullable non_nullish ' +
    'default prefault readonly'
  ).split(' '),
)

function zodForm(schema: unknown, inner: FormOf): LibraryForm {
  const core = isObject(schema) ? schema['_zod'] : null
  const def = isObject(core) ? core['def'] : null
  if (!isObject(def) || def['coerce'] === true) return anyForm
  if (wrappers.has(def['type'])) return inner(def['innerType'])
  if (def['type'] === 'pipe') return inner(def['in'])
  return new FormOfParts(
    { type: def['type'], properties: () => def['shape'], items: def['element'], options: def['options'] },
    inner,
  )
}

function valibotForm(schema: unknown, inner: FormOf): LibraryForm {
  // With a fallback every value is accepted.
  if (!isObject(schema) || 'fallback' in schema) return anyForm
  if (wrappers.has(schema['type'])) return inner(schema['wrapped'])
  const { type, entries, item: items, options } = schema
  return new FormOfParts({ type, properties: () => entries, items, options }, inner)
}

function jsonSchemaForm(schema: unknown, inner: FormOf): LibraryForm {
  if (!isObject(schema)) return anyForm
  const { type, anyOf: options, properties, items } = schema
  if (Array.isArray(options))
    return new FormOfParts({ type: 'union', properties: () => null, items: null, options }, inner)
  return new FormOfParts({ type, properties: () => properties, items, options: null }, inner)
}

interface Parts {
  readonly type: unknown
  readonly properties: () => unknown
  readonly items: unknown
  readonly options: unknown
}

/** The forms of parts are computed on first use, because a recursive schema contains itself. */
class FormOfParts implements LibraryForm {
  readonly type: string | null
  readonly #parts: Parts
  readonly #inner: FormOf

  constructor(parts: Parts, inner: FormOf) {
    this.type = typeof parts.type === 'string' ? parts.type : null
    this.#parts = parts
    this.#inner = inner
  }

  get properties(): ReadonlyMap<string, LibraryForm> {
    const properties = this.#parts.properties()
    return new Map(isMap(properties) ? Object.entries(properties).map(([name, part]) => [name, this.#inner(part)]) : [])
  }

  get items(): LibraryForm | null {
    const { items } = this.#parts
    return isObject(items) ? this.#inner(items) : null
  }

  get options(): readonly LibraryForm[] {
    const { options } = this.#parts
    // The members of an enum of Valibot are values.
    return this.type === 'union' && Array.isArray(options) ? options.map(this.#inner) : []
  }
}

/** Types of values that are neither objects nor text. */
const otherTypes = ['number', 'int', 'integer', 'boolean', 'bigint', 'symbol', 'null', 'nan', 'date']

const listTypes = ['array', 'tuple', 'strict_tuple', 'loose_tuple', 'tuple_with_rest', 'set']

const objectTypes = ['object', 'strict_object', 'loose_object', 'object_with_rest', 'record', 'map']

/** Whether a schema refuses every object. */
export function refusesObjects(form: LibraryForm): boolean {
  return everyOption(form, ({ type }) => type !== null && neverObjects.has(type))
}

const scalarTypes = ['string', 'template_literal', 'picklist', 'enum', 'literal']

const neverObjects: ReadonlySet<string> = new Set([...otherTypes, ...listTypes, ...scalarTypes, 'map'])

/** Whether a schema refuses every text. */
export function refusesText(form: LibraryForm): boolean {
  return everyOption(form, ({ type }) => type !== null && neverText.has(type))
}

const neverText: ReadonlySet<string> = new Set([...otherTypes, ...listTypes, ...objectTypes])

/** Whether a schema accepts only values that a query cannot contain: neither texts, nor lists, nor objects. */
export function refusesQueryValues(form: LibraryForm): boolean {
  return everyOption(form, ({ type }) => type !== null && neverInQuery.has(type))
}

const neverInQuery: ReadonlySet<string> = new Set(otherTypes)

function everyOption(form: LibraryForm, refuses: (form: LibraryForm) => boolean): boolean {
  if (form.type !== 'union') return refuses(form)
  // A client cannot send `undefined`.
  const sendable = form.options.filter(({ type }) => type !== 'undefined' && type !== 'void')
  return sendable.length > 0 && sendable.every((option) => everyOption(option, refuses))
}
