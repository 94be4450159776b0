import { anonymous, type Caller } from '../../src/http/caller.js'
import { defaultRoles } from '../../src/auth/default-roles.js'
import { isMap } from '../../src/php/array-shape.js'
import { toBoolean } from '../../src/php/cast.js'
import { isUndated } from '../../src/content/dates.js'
import { RecordTypes, type RecordTypeDeclarations } from '../../src/content/record-types.js'
import type { NewRecord, RecordChange } from '../../src/content/record.js'
import { Records } from '../../src/content/records.js'
import { siteFrom } from '../../src/content/site.js'
import type { Storage } from '../../src/database/storage.js'

/** The site that the vectors `records-*` were recorded on, with its own types of record. */
export interface RecordedSite {
  readonly storage: Storage
  readonly types: RecordTypes
  /** @param as a role, or `anonymous`. */
  records(as?: unknown, at?: number): Records
}

/** By name of the type, as the files have it. */
export type Supports = Readonly<Record<string, readonly string[]>>

const recordedTypes: RecordTypeDeclarations = {
  product: { public: true },
  product_x: { public: true },
  private_thing: {},
  folder: { public: true, hierarchical: true },
  shopitem: { public: true, permalink: 'shop/item', with_front: false },
  norewrite: { public: true, permalink: false },
}

export const recordedNow = Date.parse('2026-01-15T12:00:00Z')

const roles = ['administrator', 'editor', 'author', 'contributor', 'subscriber']

/** Somebody with a role. The recorded administrator is user 1; the other ids are of no consequence. */
export function callerWithRole(role: unknown = 'administrator'): Caller {
  const granted = typeof role === 'string' ? defaultRoles.get(role)?.capabilities : undefined
  if (typeof role !== 'string' || granted === undefined) return anonymous
  const capabilities = new Set(['exist', ...granted.keys()])
  return { ...anonymous, id: roles.indexOf(role) + 1, login: role, roles: [role], capabilities }
}

export async function recordedSite(
  open: () => Promise<Storage>,
  options: { readonly structure?: string; readonly gmtOffset?: number; readonly supports?: Supports } = {},
): Promise<RecordedSite> {
  const storage = await open()
  await storage.terms.insert({ name: 'Uncategorized', slug: 'uncategorized', taxonomy: 'category' })
  const structure = options.structure ?? '/%year%/%monthnum%/%day%/%postname%/'
  const site = siteFrom(
    new Map([
      ['home', 'http://example.test'],
      ['permalink_structure', structure],
      ['gmt_offset', String(options.gmtOffset ?? 0)],
    ]),
  )
  const supported = Object.entries(options.supports ?? {}).map(([name, supports]) => {
    return [name, { ...recordedTypes[name], supports }] as const
  })
  const types = new RecordTypes({ ...recordedTypes, ...Object.fromEntries(supported) }, 'writable')
  const records = (as?: unknown, at = recordedNow): Records =>
    new Records({ storage, types, site, clock: () => at, caller: () => callerWithRole(as) })
  return { storage, types, records }
}

const fields = {
  post_title: 'title',
  post_content: 'content',
  post_excerpt: 'excerpt',
  post_status: 'status',
  post_type: 'type',
  post_name: 'slug',
  post_author: 'author',
  post_parent: 'parent',
  post_date: 'date',
  post_date_gmt: 'date_gmt',
  post_password: 'password',
  menu_order: 'menu_order',
  comment_status: 'comment_status',
  ping_status: 'ping_status',
  ID: 'id',
} as const

/**
 * The arguments of `wp_insert_post` in this product's words. One level of backslashes is gone, since WordPress takes it
 * away before it stores, and this product stores text as given.
 */
export function recordOf(input: Readonly<Record<string, unknown>>): NewRecord {
  const columns = Object.entries(fields).filter(([column]) => Object.hasOwn(input, column))
  return Object.fromEntries(columns.map(([column, field]) => [field, unslashed(input[column])])) as NewRecord
}

/** As PHP's `stripslashes`, within lists and maps too: behind a backslash, `0` is the NUL character. */
export function unslashed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\\(.?)/gs, (_, escaped: string) => escaped.replace('0', '\0'))
  if (Array.isArray(value)) return value.map(unslashed)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unslashed(inner)]))
}

/** The arguments of `wp_update_post`. */
export function changeOf(input: Readonly<Record<string, unknown>>, from: unknown): RecordChange {
  const { id: _, ...change } = recordOf(input)
  // WordPress ignores the date of a record that has none yet unless `edit_date` is set; here one that is given counts.
  if (isUndated(String(from)) && !toBoolean(input['edit_date'])) {
    const { date: _date, date_gmt: _gmt, ...rest } = change
    return rest
  }
  return change
}
