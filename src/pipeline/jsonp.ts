import { toBoolean } from '../php/cast.js'

/** The name of the JSONP callback a request asks for, in the query only; empty values do not count (docs/wire.md#_jsonp). */
export function jsonpName(
  query: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly valid: boolean } | null {
  const name = query['_jsonp']
  if (name === undefined || !toBoolean(name)) return null
  return typeof name === 'string' ? { name, valid: /^[\w.]+$/.test(name) } : { name: '', valid: false }
}
