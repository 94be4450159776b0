import { isMap } from '../php/array-shape.js'
import { canonicalText } from '../http/canonical-text.js'
import type { MetaType } from './record-type.js'

/** Names WordPress keeps for itself, as types or as variables of its query. */
const reservedNames = new Set([
  'attachment',
  'revision',
  'nav_menu_item',
  'custom_css',
  'customize_changeset',
  'oembed_cache',
  'user_request',
  'wp_block',
  'action',
  'author',
  'order',
  'theme',
])

const extensible = new Set(['post', 'page'])
const metaTypes: readonly MetaType[] = ['number', 'integer', 'string', 'boolean', 'array', 'object']

const shapes: Readonly<Record<string, (value: unknown) => string | null>> = {
  permalink: (value) =>
    value === false || (typeof value === 'string' && /^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/.test(value))
      ? null
      : 'must be false or path segments of a-z, 0-9, _ and -, without slashes at the ends',
  with_front: mustBeBoolean,
  public: mustBeBoolean,
  hierarchical: mustBeBoolean,
  map_meta_cap: mustBeBoolean,
  supports: mustBeNames,
  taxonomies: mustBeNames,
  capability_type: (value) =>
    typeof value === 'string' && /^[a-z0-9_-]+$/.test(value) ? null : 'must be a name of a-z, 0-9, _ and -',
  meta: (value) => (isMap(value) ? null : 'must map metadata keys to { type, default }'),
}

/** A part of a declaration, `.meta.price` or `''` for the whole, and what is wrong with it. */
type FaultyPart = readonly [part: string, sentence: string]

/**
 * What is wrong with the boot option `record_types`, by the part that is at fault: `record_types.book.meta.pages`. Takes
 * anything for a declaration, since a configuration file in JavaScript may hold anything.
 */
export function recordTypeFaults(declarations: Readonly<Record<string, unknown>> = {}): FaultyPart[] {
  return Object.entries(declarations).flatMap(([name, declaration]) =>
    [...nameFaults(name), ...declarationFaults(name, declaration)].map(
      ([part, fault]) => [`record_types.${name}${part}`, `${fault}.`] as const,
    ),
  )
}

function nameFaults(name: string): FaultyPart[] {
  if (reservedNames.has(name)) return [['', 'it is a name that WordPress keeps for itself; choose another one']]
  if (!/^[a-z0-9_-]{1,20}$/.test(name)) return [['', 'it must be named with 1 to 20 characters of a-z, 0-9, _ and -']]
  return []
}

function declarationFaults(name: string, declaration: unknown): FaultyPart[] {
  if (!isMap(declaration)) return [['', 'it must be an object; write {} for a type with all defaults']]
  return Object.entries(declaration).flatMap(([option, value]): FaultyPart[] => {
    const shape = Object.hasOwn(shapes, option) ? shapes[option] : undefined
    if (shape === undefined)
      return [['', `it has the unknown option ${option}; known are ${Object.keys(shapes).join(', ')}`]]
    if (extensible.has(name) && option !== 'meta') return [['', `it is built in and takes meta only, not ${option}`]]
    if (value === undefined) return []
    const fault = shape(value)
    if (fault !== null) return [[`.${option}`, `it ${fault}`]]
    return option === 'meta' ? metaFaults(value) : []
  })
}

function metaFaults(declarations: unknown): FaultyPart[] {
  return Object.entries(isMap(declarations) ? declarations : {}).flatMap(([key, declaration]): FaultyPart[] => {
    if (key === '' || key.length > 255) return [['.meta', `a key must have 1 to 255 characters, '${key}' has not`]]
    const part = `.meta.${key}`
    const type = isMap(declaration) ? declaration['type'] : undefined
    if (!metaTypes.includes(type as MetaType)) return [[part, `its type must be one of ${metaTypes.join(', ')}`]]
    const fallback = isMap(declaration) ? declaration['default'] : undefined
    if (fallback === undefined) return []
    if (!isOfType(fallback, type as MetaType)) return [[part, `its default is not of type ${type as MetaType}`]]
    return canonicalText(fallback) === null
      ? [[part, 'its default holds what JSON cannot say, so records cannot get copies of it']]
      : []
  })
}

function isOfType(value: unknown, type: MetaType): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isMap(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'number') return Number.isFinite(value)
  return typeof value === type
}

function mustBeBoolean(value: unknown): string | null {
  return typeof value === 'boolean' ? null : 'must be true or false'
}

function mustBeNames(value: unknown): string | null {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && /^[a-z0-9_-]+$/.test(name))
    ? null
    : 'must be a list of names of a-z, 0-9, _ and -'
}
