import { isMap } from '../php/array-shape.js'
import { jsonSchemaFrom, type StandardSchema } from './standard-schema.js'

/** What a schema of a library asks of a value before anything else. */
export interface LibraryForm {
  /** In the words of its library; null where any value may be accepted, or it is not known. */
  readonly type: string | null
  /** Of an object: the schemas of its properties. */
  readonly properties: ReadonlyMap<string, LibraryForm>
  /** Of a list: the schema of its items. */
  readonly items: LibraryForm | null
  /** Of a union: its members. */
  readonly options: readonly LibraryForm[]
}

/** Schemas are examined down to this depth. Recursive ones have no end. */
const maxDepth = 8

const anyForm: LibraryForm = { type: null, properties: new Map(), items: null, options: [] }

/**
 * The form of a schema of Zod 4, Valibot or ArkType; of all others nothing is known. JSON Schema does not tell it for Zod:
 * `z.coerce.number()` is described as a number.
 */
export function libraryFormOf(schema: StandardSchema): LibraryForm {
  switch (schema['~standard'].vendor) {
    case 'zod':
      return zodForm(schema, 0)
    case 'valibot':
      return valibotForm(schema, 0)
    case 'arktype':
      return jsonSchemaForm(jsonSchemaFrom(schema, 'input'), 0)
    default:
      return anyForm
  }
}

/** Schemas around another one that accept what it accepts, and absent values or null. */
const wrappers: ReadonlySet<unknown> = new Set(
  (
    'optional exact_optional nullable nullish undefinedable nonoptional non_optional non_nullable non_nullish ' +
    'default prefault readonly'
  ).split(' '),
)

function zodForm(schema: unknown, depth: number): LibraryForm {
  const core = isObject(schema) ? schema['_zod'] : null
  const def = isObject(core) ? core['def'] : null
  if (!isObject(def) || depth > maxDepth || def['coerce'] === true) return anyForm
  const inner = (part: unknown): LibraryForm => zodForm(part, depth + 1)
  if (wrappers.has(def['type'])) return inner(def['innerType'])
  if (def['type'] === 'pipe') return inner(def['in'])
  return formOf({ type: def['type'], properties: def['shape'], items: def['element'], options: def['options'] }, inner)
}

function valibotForm(schema: unknown, depth: number): LibraryForm {
  // With a fallback every value is accepted.
  if (!isObject(schema) || depth > maxDepth || 'fallback' in schema) return anyForm
  const inner = (part: unknown): LibraryForm => valibotForm(part, depth + 1)
  if (wrappers.has(schema['type'])) return inner(schema['wrapped'])
  const { type, entries: properties, item: items, options } = schema
  return formOf({ type, properties, items, options }, inner)
}

function jsonSchemaForm(schema: unknown, depth: number): LibraryForm {
  if (!isObject(schema) || depth > maxDepth) return anyForm
  const inner = (part: unknown): LibraryForm => jsonSchemaForm(part, depth + 1)
  const { type, anyOf: options, properties, items } = schema
  if (Array.isArray(options)) return formOf({ type: 'union', properties: null, items: null, options }, inner)
  return formOf({ type, properties, items, options: null }, inner)
}

function formOf(
  parts: Readonly<Record<'type' | 'properties' | 'items' | 'options', unknown>>,
  inner: (part: unknown) => LibraryForm,
): LibraryForm {
  const { type, properties, items, options } = parts
  return {
    type: typeof type === 'string' ? type : null,
    properties: new Map(isMap(properties) ? Object.entries(properties).map(([name, part]) => [name, inner(part)]) : []),
    items: isObject(items) ? inner(items) : null,
    // The members of an enum of Valibot are values.
    options: type === 'union' && Array.isArray(options) ? options.map(inner) : [],
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
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

/** Whether a schema is for nothing but values that are neither text, lists nor objects: what a query cannot carry. */
export function refusesQueryValues(form: LibraryForm): boolean {
  return everyOption(form, ({ type }) => type !== null && neverInQuery.has(type))
}

const neverInQuery: ReadonlySet<string> = new Set(otherTypes)

function everyOption(form: LibraryForm, refuses: (form: LibraryForm) => boolean): boolean {
  if (form.type !== 'union') return refuses(form)
  // An absent value is no value that could be sent.
  const sendable = form.options.filter(({ type }) => type !== 'undefined' && type !== 'void')
  return sendable.length > 0 && sendable.every((option) => everyOption(option, refuses))
}
