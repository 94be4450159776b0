import { allowedInData, allowedInPosts, type AllowedTags } from '../../src/sanitizers/allowed-tags.js'
import { cssProperties } from '../../src/sanitizers/css-properties.js'
import { entities } from '../../src/sanitizers/entities.js'
import { allowedExtensions } from '../../src/sanitizers/file-extensions.js'
import { allowedProtocols, urlAttributes } from '../../src/sanitizers/protocols.js'

/** What both sides allow. */
const tables = {
  css: [...cssProperties, '--*'],
  post: namesOf(allowedInPosts),
  data: namesOf(allowedInData),
  protocols: [...allowedProtocols],
  urls: [...urlAttributes],
  entities: [...entities.keys()],
  extensions: [...allowedExtensions],
}

export const tableNames = Object.keys(tables) as (keyof typeof tables)[]

/** @param table that of WordPress. @returns its names in one order, each once. */
export function tableOf(name: keyof typeof tables, table: unknown = tables[name]): unknown {
  const sorted = (names: unknown): string[] => [...new Set(names as readonly string[])].sort()
  if (Array.isArray(table)) return sorted(table)
  return Object.fromEntries(Object.entries(table as object).map(([key, names]) => [key, sorted(names)]))
}

function namesOf(tags: AllowedTags): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Array.from(tags, ([tag, attributes]) => [tag, [...attributes]]))
}
