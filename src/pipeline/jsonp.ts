import { toBoolean } from '../php/cast.js'

/** The name of the JSONP callback a request asks for (WIRE 9.7): query string only, falsy values do not count. */
export function jsonpName(
  query: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly valid: boolean } | null {
  const name = query['_jsonp']
  if (name === undefined || !toBoolean(name)) return null
  return typeof name === 'string' ? { name, valid: /^[\w.]+$/.test(name) } : { name: '', valid: false }
}
