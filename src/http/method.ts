import type { ParameterMap } from './variables.js'

/** The method of a request after any override. */
export interface EffectiveMethod {
  /** Upper case. Empty for a `_method` that is empty or not text; no route has this method. */
  readonly method: string
  /** The method comes from the header. As in WordPress, error responses to such requests forbid caching. */
  readonly overridden: boolean
}

/** Whether the parameters of a request with this method include a form in the body. */
export function acceptsForm(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}

/**
 * The effective method. The query parameter `_method` takes precedence over the header `X-HTTP-Method-Override`, and
 * the header over the method of the request line.
 */
export function methodOf(
  requestMethod: string,
  query: ParameterMap,
  headers: Readonly<Record<string, string | undefined>>,
): EffectiveMethod {
  const parameter = query['_method']
  if (parameter !== undefined)
    return { method: typeof parameter === 'string' ? upperCase(parameter) : '', overridden: false }
  const header = overrideIn(headers)
  return header === null
    ? { method: requestMethod, overridden: false }
    : { method: upperCase(header), overridden: true }
}

/**
 * All spellings of the header with dashes and underscores, dashes first as in `headerOf`. Looking each of them up is
 * faster than reading all headers of every request.
 */
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

/** Converts ASCII letters only: no other letter may turn into a letter of a method. */
function upperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}
