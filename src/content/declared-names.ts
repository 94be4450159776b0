import { toText } from '../php/cast.js'
import { requireKnownFields } from '../base/known-fields.js'
import { requireString } from '../base/value-type.js'
import type { NewRecord, RecordChange, RecordField } from './record.js'
import type { RecordCondition } from './record-condition.js'
import type { RecordType } from './record-type.js'
import type { RecordTypes } from './record-types.js'
import { UndeclaredNameError } from './undeclared-name-error.js'

const builtInStatuses: ReadonlySet<string> = new Set([
  'publish',
  'draft',
  'pending',
  'private',
  'future',
  'trash',
  'auto-draft',
  'inherit',
])

const builtInTaxonomies = ['category', 'post_tag', 'post_format']

/** @throws UndeclaredNameError */
function requireTypes(names: readonly string[], types: RecordTypes): void {
  for (const name of names)
    if (types.get(name) === null)
      throw new UndeclaredNameError(
        'undeclared-record-type',
        `There is no record type '${name}'`,
        name,
        types.all().map((type) => type.name),
        "Types are declared in the option 'record_types'.",
      )
}

/**
 * @param among the types that the records may have; one of them must have the status. An unknown type is left out.
 * @throws UndeclaredNameError
 */
export function requireStatuses(names: readonly string[], among: readonly RecordType[]): void {
  for (const name of names) {
    if (builtInStatuses.has(name) || among.some(({ statuses }) => statuses.has(name))) continue
    throw new UndeclaredNameError(
      'undeclared-status',
      `${recordsOf(among)} have no status '${name}'`,
      name,
      [...builtInStatuses, ...among.flatMap(({ statuses }) => [...statuses])],
      `Further ones are declared in ${optionOf(among, 'statuses')}.`,
    )
  }
}

/**
 * Types that declare metadata have the keys that they declare and no others. Where none of the types declares any, each key
 * is allowed.
 * @throws UndeclaredNameError
 */
export function requireMetaKeys(keys: readonly string[], among: readonly RecordType[]): void {
  for (const key of keys) if (!hasMetaKey(among, key)) throw undeclaredMetaKey(key, among)
}

function hasMetaKey(types: readonly RecordType[], key: string): boolean {
  let anyDeclares = false
  for (const { declaresMeta, meta } of types) {
    if (!declaresMeta) continue
    if (meta.has(key)) return true
    anyDeclares = true
  }
  return !anyDeclares
}

function undeclaredMetaKey(key: string, among: readonly RecordType[]): UndeclaredNameError {
  const declaring = among.filter(({ declaresMeta }) => declaresMeta)
  return new UndeclaredNameError(
    'undeclared-metadata',
    `${recordsOf(declaring)} have no metadata '${key}'`,
    key,
    declaring.flatMap(({ meta }) => [...meta.keys()]),
    `Keys are declared in ${optionOf(declaring, 'meta')}.`,
  )
}

/** @throws UndeclaredNameError */
export function requireTaxonomy(name: string, types: RecordTypes): void {
  const declared = types.all().flatMap(({ taxonomies }) => [...(taxonomies ?? [])])
  const names = new Set([...builtInTaxonomies, ...declared])
  if (names.has(name)) return
  throw new UndeclaredNameError(
    'undeclared-taxonomy',
    `There is no taxonomy '${name}'`,
    name,
    names,
    "Taxonomies are declared in 'taxonomies' of a record type.",
  )
}

const recordsOf = (types: readonly RecordType[]): string =>
  types.length === 1 ? `Records of type '${types[0]?.name}'` : 'Records'

const optionOf = ([type, ...others]: readonly RecordType[], option: string): string =>
  type !== undefined && others.length === 0 ? `record_types.${type.name}.${option}` : `'${option}' of a record type`

/**
 * The types that a query or a selection is for: all types when it names none.
 * @returns null when one of the types is undeclared: its names are unknown.
 */
export function typesAmong(
  names: string | readonly string[] | null | undefined,
  types: RecordTypes,
): readonly RecordType[] | null {
  if (names === null || names === undefined) return types.areOpen ? null : types.all()
  // Most reads name one type.
  const single = typeof names === 'string' ? types.get(names) : null
  if (single !== null) return [single]
  const list = typeof names === 'string' ? [names] : names
  if (!types.areOpen) requireTypes(list, types)
  const among = types.named(list)
  return among.length < list.length ? null : among
}

/** The fields of `NewRecord`, and those of a record that was read: `{ ...record, title: 'Tea' }` may be written. */
const newFields: Readonly<Record<keyof NewRecord | RecordField, true>> = {
  type: true,
  status: true,
  title: true,
  content: true,
  excerpt: true,
  slug: true,
  author: true,
  parent: true,
  date: true,
  date_gmt: true,
  menu_order: true,
  password: true,
  comment_status: true,
  ping_status: true,
  meta: true,
  terms: true,
  id: true,
  link: true,
  modified: true,
  isProtected: true,
}
const namesOfNew: ReadonlySet<string> = new Set(Object.keys(newFields))
const namesOfChange: ReadonlySet<string> = new Set([...namesOfNew, 'remove_meta'])

/** Checks the fields, the type, the status and the metadata keys of a new record. @throws UndeclaredNameError @throws TypeError for a field that does not exist. */
export function requireNamesOfNew(record: NewRecord, types: RecordTypes): void {
  requireKnownFields(record, namesOfNew, 'A new record')
  const { type, status, meta } = record
  const name = toText(type) || 'post'
  requireWrittenType(name, types)
  requireWrittenNames(status, Object.keys(meta ?? {}), types.named([name]))
}

/**
 * Checks the fields, the type, the status and the metadata keys of a change to a record of this type.
 * @throws UndeclaredNameError @throws TypeError for a field that does not exist.
 */
export function requireNamesOfChange(change: RecordChange, typeBefore: string, types: RecordTypes): void {
  requireKnownFields(change, namesOfChange, 'A change of a record')
  const { type, status, meta, remove_meta: removed } = change
  if (toText(type) !== '') requireWrittenType(toText(type), types)
  const among = types.named([toText(type) || typeBefore])
  requireWrittenNames(status, [...Object.keys(meta ?? {}), ...(removed ?? [])], among)
}

/**
 * Checks the type, the status and the metadata keys of `if` of a condition on a record of this type. With a misspelt one, no record
 * would meet the condition.
 * @throws UndeclaredNameError @throws TypeError for a type or a status that is not a string.
 */
export function requireNamesOfCondition(
  { if: values }: RecordCondition,
  typeOfRecord: string,
  types: RecordTypes,
): void {
  if (values === undefined) return
  const { type = typeOfRecord, status, meta } = values
  requireString(type, "'type' of 'if'")
  if (status !== undefined) requireString(status, "'status' of 'if'")
  requireWrittenType(type, types)
  requireWrittenNames(status, Object.keys(meta ?? {}), types.named([type]))
}

function requireWrittenType(name: string, types: RecordTypes): void {
  if (!types.areWritable) requireTypes([name], types)
}

/** @param among empty for an undeclared type. */
function requireWrittenNames(status: unknown, keys: readonly string[], among: readonly RecordType[]): void {
  if (among.length > 0 && toText(status) !== '') requireStatuses([toText(status)], among)
  requireMetaKeys(keys, among)
}
