import { inComment } from './value-types.js'

/**
 * The part of a client that does not depend on its routes.
 * @param root the default address, as a literal of TypeScript.
 */
export function clientRuntime(root: string): string {
  return `export interface ClientOptions {
  /** Where the routes live: \`https://shop.example/wp-json\`. Default: \`${inComment(root.slice(1, -1))}\`. */
  readonly root?: string
  /** Sent with every request: \`headers: applicationPassword('ann', 'abcd efgh …')\`. */
  readonly headers?: Readonly<Record<string, string>>
  /** \`include\` lets a browser send its login cookie to another origin. */
  readonly credentials?: 'omit' | 'same-origin' | 'include'
  /** Instead of the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Sees every answer, for headers such as \`X-WP-Total\`. */
  readonly onResponse?: (response: Response) => void
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The service refused a request, or did not answer in JSON. */
export class RestFault extends Error {
  override readonly name = 'RestFault'
  readonly status: number
  /** Stable and machine readable: \`rest_invalid_param\`; \`http_error\` when the answer was no error of the API. */
  readonly code: string
  /** What the error carries, such as \`params\` of \`rest_invalid_param\`. */
  readonly data: unknown

  constructor(status: number, code: string, message: string, data: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}

/** The headers of a program: a login and one of its application passwords. */
export function applicationPassword(login: string, password: string): Record<string, string> {
  let bytes = ''
  for (const byte of new TextEncoder().encode(\`\${login}:\${password}\`)) bytes += String.fromCharCode(byte)
  return { Authorization: \`Basic \${btoa(bytes)}\` }
}

/** The header that makes the login cookie of a browser count. */
export function nonce(value: string): Record<string, string> {
  return { 'X-WP-Nonce': value }
}

type Path = readonly (string | { readonly name: string })[]

async function call<Result>(
  options: ClientOptions,
  method: string,
  paths: readonly Path[],
  given: object,
  { headers, signal }: CallOptions = {},
): Promise<Result> {
  const values = new Map<string, unknown>(Object.entries(given).filter(([, value]) => value !== undefined))
  let url = (options.root ?? ${root}).replace(/\\/+$/, '') + pathOf(paths, values)
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const query = hasBody ? '' : [...values].flatMap(([name, value]) => variables(name, value)).join('&')
  if (query !== '') {
    url += (url.includes('?') ? '&' : '?') + query
  }
  const send = options.fetch ?? ((address: string, init: RequestInit) => fetch(address, init))
  const response = await send(url, {
    method,
    headers: { ...(hasBody && { 'Content-Type': 'application/json' }), ...options.headers, ...headers },
    ...(hasBody && { body: JSON.stringify(Object.fromEntries(values)) }),
    ...(options.credentials !== undefined && { credentials: options.credentials }),
    ...(signal !== undefined && { signal }),
  })
  options.onResponse?.(response)
  return (await resultOf(response)) as Result
}

/** The longest path all of whose parameters are given; they are taken out of the values. */
function pathOf(paths: readonly Path[], values: Map<string, unknown>): string {
  const known = (path: Path) => path.every((piece) => typeof piece === 'string' || (values.get(piece.name) ?? null) !== null)
  const path = [...paths].reverse().find(known)
  if (path === undefined) throw new TypeError('A parameter of the path is missing.')
  const pieces = path.map((piece) => (typeof piece === 'string' ? piece : encodeURIComponent(String(values.get(piece.name)))))
  for (const piece of path) if (typeof piece !== 'string') values.delete(piece.name)
  const text = pieces.join('')
  // An address is tidied before it is sent: with such a value another route would be called.
  if (/\\/\\.{0,2}(?:\\/|$)/.test(text)) throw new TypeError(\`'\${text}' would lead to another path.\`)
  return text
}

/** \`tags[0]=a&tags[1]=b\`: every name once, because the last of a repeated one would win. */
function variables(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.length === 0) return [\`\${encodeURIComponent(name)}=\`]
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => variables(\`\${name}[\${key}]\`, inner))
  return [\`\${encodeURIComponent(name)}=\${encodeURIComponent(String(value))}\`]
}

async function resultOf(response: Response): Promise<unknown> {
  const text = await response.text()
  const body = parsed(text)
  if (response.ok && body !== undefined) return body
  const { code, message, data } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  throw new RestFault(
    response.status,
    typeof code === 'string' ? code : 'http_error',
    typeof message === 'string' ? message : \`The service answered \${response.status}.\`,
    data ?? null,
  )
}

/** Null for no text, undefined for what is no JSON. */
function parsed(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
`
}
