import { isBuiltIn } from '../content/built-in-types.js'
import type { RecordType } from '../content/record-type.js'
import type { RecordTypes } from '../content/record-types.js'
import { decodePercent } from '../http/percent.js'
import type { Site } from '../content/site.js'
import { pathOfAddress } from '../content/path-of-address.js'
import { pathBelow } from './page-request.js'

/** Parameters of plain links that name a record. */
const naming = ['p', 'page_id', 'attachment_id']

/** Whether a query asks for one record. */
export function namesRecord(query: URLSearchParams, types: RecordTypes): boolean {
  if (naming.some((name) => /^\d+$/.test(query.get(name) ?? ''))) return true
  return ownTypes(types).some(({ name }) => Boolean(query.get(name)))
}

/** The application's own types that visitors may see: a plain link to a record has the type's name. */
export function ownTypes(types: RecordTypes): readonly RecordType[] {
  return types.all().filter(({ name, public: isPublic }) => isPublic && !isBuiltIn(name))
}

/** The path of an address below that of the site: `/product/lamp/`. */
export function sitePath(link: string, site: Site): string {
  const { pathname } = new URL(link)
  return pathBelow(pathname, pathOfAddress(site.home)) ?? pathname
}

/**
 * The one address of a record, when it was asked for by another spelling: without the slash at the end, by its id, in
 * capitals. Whatever else is in the query stays.
 * @returns null when the address is as it should be, or has no pretty form.
 */
export function canonicalAddress(
  path: string,
  query: URLSearchParams,
  link: string,
  { site, types }: { readonly site: Site; readonly types: RecordTypes },
): string | null {
  if (!URL.canParse(link) || new URL(link).search !== '') return null
  const isSamePath = decodePercent(path) === decodePercent(sitePath(link, site))
  if (isSamePath && (path !== '/' || !namesRecord(query, types))) return null
  const rest = new URLSearchParams(query)
  for (const name of [...naming, 'post_type', ...ownTypes(types).map((type) => type.name)]) rest.delete(name)
  return rest.size === 0 ? link : `${link}?${rest.toString()}`
}
