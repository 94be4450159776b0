import { applicationTypes } from '../content/archive.js'
import type { RecordTypes } from '../content/record-types.js'
import { decodePercent } from '../http/percent.js'
import type { Site } from '../content/site.js'
import { pathOfAddress } from '../content/path-of-address.js'
import { pathBelow } from './page-request.js'

/** Parameters of plain permalinks that contain the id of a record. */
const idParameters = ['p', 'page_id', 'attachment_id']

/** Whether a query identifies one record: `?p=5`, or `?product=lamp` with an own type. */
export function namesRecord(query: URLSearchParams, types: RecordTypes): boolean {
  if (idParameters.some((name) => /^\d+$/.test(query.get(name) ?? ''))) return true
  return applicationTypes(types).some(({ name }) => Boolean(query.get(name)))
}

/** The path of an address, relative to the address of the site: `/product/lamp/`. */
export function sitePath(link: string, site: Site): string {
  const { pathname } = new URL(link)
  return pathBelow(pathname, pathOfAddress(site.home)) ?? pathname
}

/**
 * The canonical address of a record, when the request has another address of it: without the trailing slash, with its
 * id, or in capital letters. Other parameters of the query are preserved.
 * @param path of the request.
 * @param query of the request.
 * @param link the permalink of the record.
 * @returns null when the address of the request is canonical, or the permalink has a query (a plain permalink).
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
  const otherParameters = new URLSearchParams(query)
  for (const name of [...idParameters, 'post_type', ...applicationTypes(types).map((type) => type.name)])
    otherParameters.delete(name)
  return otherParameters.size === 0 ? link : `${link}?${otherParameters.toString()}`
}
