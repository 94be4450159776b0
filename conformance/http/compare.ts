import { isMap } from '../../src/php/array-shape.js'
import { isDeepStrictEqual } from 'node:util'
import { difference, shortened } from '../difference.js'
import type { ExpectedResponse, HttpCase } from './cases.js'
import type { ReceivedResponse } from './send.js'

/** Headers that must not be there when the recorded response has none. */
const absentUnlessListed = [
  'allow',
  'x-wp-total',
  'x-wp-totalpages',
  'location',
  'x-wp-nonce',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'vary',
  'cache-control',
  'expires',
]
const comparedAsSets = new Set([
  'allow',
  'cache-control',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'vary',
  'link',
])

/** What differs between a response and the recorded one; empty when nothing does. */
export function differences(expected: ExpectedResponse, response: ReceivedResponse, httpCase: HttpCase): string[] {
  const different: string[] = []
  if (response.status !== expected.status) different.push(`status ${response.status}, expected ${expected.status}`)
  different.push(...headerDifferences(expected.headers, response.headers))
  if (expected.empty === true) {
    if (response.text !== '') different.push(`a body, expected none: ${shortened(response.text)}`)
  } else if (expected.text !== undefined) {
    if (expected.text !== '(not compared)' && response.text !== expected.text)
      different.push(`text ${shortened(response.text)}, expected ${shortened(expected.text)}`)
  } else different.push(...bodyDifferences(expected, response.text, httpCase))
  return different
}

function headerDifferences(
  expected: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
): string[] {
  const different = absentUnlessListed
    .filter((name) => !(name in expected) && name in actual)
    .map((name) => `header ${name}: ${actual[name]}, expected none`)
  for (const [name, value] of Object.entries(expected)) {
    const received = actual[name]
    if (received === undefined || !sameHeader(name, value, received))
      different.push(`header ${name}: ${received ?? '(none)'}, expected ${value}`)
  }
  return different
}

function sameHeader(name: string, expected: string, actual: string): boolean {
  if (comparedAsSets.has(name)) return isDeepStrictEqual(parts(expected).sort(), parts(actual).sort())
  return plain(expected) === plain(actual)
}

function parts(value: string): string[] {
  return value.split(',').map(plain)
}

function plain(value: string): string {
  return value.toLowerCase().replace(/\s+/g, '')
}

function bodyDifferences(expected: ExpectedResponse, text: string, httpCase: HttpCase): string[] {
  let json = text
  if (expected.jsonp !== undefined) {
    const call = /^\/\*\*\/([\w.]+)\(([\s\S]*)\)$/.exec(text)
    if (call?.[1] !== expected.jsonp) return [`not a call of ${expected.jsonp}: ${shortened(text)}`]
    json = call[2] ?? ''
  }
  let body: unknown
  try {
    body = JSON.parse(json)
  } catch {
    return [`not JSON: ${shortened(text)}`]
  }
  const echo = httpCase.path.includes('/echo/v1') || (httpCase.query ?? '').includes('echo')
  const kept = prepared(body, httpCase, echo)
  const wanted = prepared(expected.body, httpCase, echo)
  const different = difference(kept, wanted)
  return different === null ? [] : [`body ${different}`]
}

/** Only the parts that count, and in an echo response an empty map as an empty list (the original cannot tell them apart). */
function prepared(body: unknown, { keep }: HttpCase, echo: boolean): unknown {
  let kept = body
  if (keep && isMap(body)) {
    const copy: Record<string, unknown> = { ...body }
    if (keep.routes && isMap(copy['routes']))
      copy['routes'] = filtered(
        copy['routes'],
        (name) => keep.routes?.some((prefix) => name.startsWith(prefix)) ?? false,
      )
    if (keep.namespaces && Array.isArray(copy['namespaces']))
      copy['namespaces'] = copy['namespaces'].filter((name) => keep.namespaces?.includes(String(name))).sort()
    if (keep.links && isMap(copy['_links']))
      copy['_links'] = filtered(copy['_links'], (name) => keep.links?.includes(name) ?? false)
    kept = copy
  }
  return echo ? emptyAlike(kept, false) : kept
}

function emptyAlike(value: unknown, inside: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => emptyAlike(item, inside))
  if (!isMap(value)) return value
  const entries = Object.entries(value)
  if (inside && entries.length === 0) return []
  return Object.fromEntries(
    entries.map(([key, item]) => [
      key,
      emptyAlike(item, inside || key === 'params' || key === 'url' || key === 'query'),
    ]),
  )
}

function filtered(map: Record<string, unknown>, wanted: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => wanted(name)))
}
