/** Methods that a scope may name. HEAD is a GET. */
const methodNames: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Maximum number of scopes of one application password. */
const maxScopes = 50
/** Maximum length of a scope, in characters. */
const maxLength = 200
/** Maximum number of stars in a scope. */
const maxStars = 10

/** The requests that one scope allows. */
interface Scope {
  /** Null for every method. */
  readonly methods: ReadonlySet<string> | null
  /** The text between the stars, in lower case. */
  readonly parts: readonly string[]
}

/** Whether a request may be made. @param path the route path: `/shop/v1/products/5`. */
export type AllowsRequest = (method: string, path: string) => boolean

/**
 * Why a value is not a list of scopes, as a sentence; null for a valid list. A scope is a path below the REST prefix, in
 * which `*` stands for any text, and may begin with methods: `/shop/v1/*`, `GET /shop/v1/products*`,
 * `POST,PUT /shop/v1/orders/*`.
 */
export function scopesFault(scopes: unknown): string | null {
  if (!Array.isArray(scopes) || scopes.length === 0) return 'Scopes are a list of at least one.'
  if (scopes.length > maxScopes) return `There are at most ${maxScopes} scopes.`
  for (const scope of scopes as unknown[])
    if (typeof scope !== 'string' || scopeIn(scope) === null)
      return 'A scope is a path, with methods before it if they are limited: GET /shop/v1/products*'
  return null
}

/** The scopes are parsed at the first call. @param scopes as stored. What is not a list of scopes allows nothing. */
export function allowsOf(scopes: unknown): AllowsRequest {
  let parsed: readonly Scope[] | null = null
  return (method, path) => {
    parsed ??= parsedScopes(scopes)
    const effective = method === 'HEAD' ? 'GET' : method
    const text = path.toLowerCase()
    return parsed.some(({ methods, parts }) => (methods === null || methods.has(effective)) && matches(text, parts))
  }
}

function parsedScopes(scopes: unknown): readonly Scope[] {
  return scopesFault(scopes) === null ? (scopes as readonly string[]).flatMap((scope) => scopeIn(scope) ?? []) : []
}

function scopeIn(text: string): Scope | null {
  if (text.length > maxLength) return null
  const [, names, path = ''] = /^(?:([A-Z,]+) +)?(\/[!-~]*)$/.exec(text) ?? []
  const methods = names?.split(',') ?? null
  if (path === '' || methods?.some((name) => !methodNames.includes(name)) === true) return null
  const parts = path.toLowerCase().split('*')
  return parts.length - 1 > maxStars ? null : { methods: methods && new Set(methods), parts }
}

/** Whether a text has these parts in this order, the first at its beginning and the last at its end. Takes linear time. */
function matches(text: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let position = first.length
  for (const part of others) {
    const start = text.indexOf(part, position)
    if (start === -1) return false
    position = start + part.length
  }
  return text.length - last.length >= position && text.endsWith(last)
}
