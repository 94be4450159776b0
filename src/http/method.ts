import type { Bag } from './variables.js'

/** The method that a request is served as. */
export interface EffectiveMethod {
  /** Upper case. `''` for a `_method` that is empty or no text: it fits no route. */
  readonly method: string
  /** The method came from the header, which keeps failures out of caches (docs/wire.md#caching-headers). */
  readonly overridden: boolean
}

/** Whether a form in the body counts among the parameters of this method (docs/wire.md#form-bodies). */
export function acceptsForm(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}

/**
 * `_method` of the query wins over the header `X-HTTP-Method-Override`, and that over the real method.
 * Rules: docs/wire.md#method-override.
 */
export function methodOf(
  real: string,
  query: Bag,
  headers: Readonly<Record<string, string | undefined>>,
): EffectiveMethod {
  const asked = query['_method']
  if (asked !== undefined) return { method: typeof asked === 'string' ? upperCase(asked) : '', overridden: false }
  const header = overrideIn(headers)
  return header === null ? { method: real, overridden: false } : { method: upperCase(header), overridden: true }
}

/** As the header may be spelt, with dashes first (`headerOf`): looked up one by one, since every request is asked. */
const spellings = ['-', '_'].flatMap((a) =>
  ['-', '_'].flatMap((b) => ['-', '_'].map((c) => `x${a}http${b}method${c}override`)),
)

function overrideIn(headers: Readonly<Record<string, string | undefined>>): string | null {
  for (const name of spellings) {
    const value = headers[name]
    if (value !== undefined) return value
  }
  return null
}

/** Latin letters only: no other may turn into a method's name. */
function upperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}
