import { canonicalText } from '../response/canonical-text.js'
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

/**
 * What is wrong with the boot option `record_types`, one sentence a fault; empty when nothing is. Takes anything, since
 * a configuration file in JavaScript may hold anything.
 */
export function recordTypeFaults(declarations: unknown): string[] {
  if (declarations === undefined) return []
  if (!isMap(declarations)) return ['record_types must map names of types to declarations.']
  return Object.entries(declarations).flatMap(([name, declaration]) =>
    [...nameFaults(name), ...declarationFaults(name, declaration)].map(
      (fault) => `record_types.${name}${fault.startsWith('.') ? '' : ' '}${fault}.`,
    ),
  )
}

function nameFaults(name: string): string[] {
  if (reservedNames.has(name)) return ['is a name that WordPress keeps for itself; choose another one']
  if (!/^[a-z0-9_-]{1,20}$/.test(name)) return ['must be named with 1 to 20 characters of a-z, 0-9, _ and -']
  return []
}

function declarationFaults(name: string, declaration: unknown): string[] {
  if (!isMap(declaration)) return ['must be an object; write {} for a type with all defaults']
  return Object.entries(declaration).flatMap(([option, value]) => {
    const shape = Object.hasOwn(shapes, option) ? shapes[option] : undefined
    if (shape === undefined) return [`has the unknown option ${option}; known are ${Object.keys(shapes).join(', ')}`]
    if (extensible.has(name) && option !== 'meta') return [`is built in and takes meta only, not ${option}`]
    if (value === undefined) return []
    const fault = shape(value)
    if (fault !== null) return [`.${option} ${fault}`]
    return option === 'meta' ? metaFaults(value) : []
  })
}

function metaFaults(declarations: unknown): string[] {
  return Object.entries(isMap(declarations) ? declarations : {}).flatMap(([key, declaration]) => {
    if (key === '' || key.length > 255) return [`.meta: a key must have 1 to 255 characters, '${key}' has not`]
    const type = isMap(declaration) ? declaration['type'] : undefined
    if (!metaTypes.includes(type as MetaType)) return [`.meta.${key}: type must be one of ${metaTypes.join(', ')}`]
    const fallback = isMap(declaration) ? declaration['default'] : undefined
    if (fallback === undefined) return []
    if (!isOfType(fallback, type as MetaType)) return [`.meta.${key}: the default is not of type ${type as MetaType}`]
    return canonicalText(fallback) === null
      ? [`.meta.${key}: the default holds what JSON cannot say, so records cannot get copies of it`]
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

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
