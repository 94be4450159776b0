import { inComment } from './value-types.js'

/**
 * The source text of the generated client that does not depend on the routes.
 * @param root the default root URL, as a TypeScript string literal.
 */
export function clientRuntime(root: string): string {
  return `export interface ClientOptions {
  /** The root URL of the routes: \`https://shop.example/wp-json\`. Default: \`${inComment(root.slice(1, -1))}\`. */
  readonly root?: string | undefined
  /** Sent with every request: \`headers: applicationPassword('ann', 'abcd efgh …')\`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** \`include\` lets a browser send its login cookie to another origin. */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined
  /** Used instead of the global \`fetch\`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Called with every response, for headers such as \`X-WP-Total\`. */
  readonly onResponse?: ((response: Response) => void) | undefined
}

/** How the body of a response is read. \`response\` leaves it to the caller: \`response.body\` is a stream. */
export type ReadAs = 'json' | 'text' | 'blob' | 'response'

type ReadBody<Result, As extends ReadAs> = { json: Result; text: string; blob: Blob; response: Response }[As]

export interface CallOptions<As extends ReadAs = 'json'> {
  /** Default \`json\`. */
  readonly as?: As | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  /** Sent as \`Idempotency-Key\`, where the route takes it: a new UUID for each request, the same one for its repeats. */
  readonly idempotencyKey?: string | undefined
}

/** The service refused a request, or its response is not JSON. */
export class RestClientError extends Error {
  override readonly name = 'RestClientError'
  readonly status: number
  /**
   * Stable and machine readable: \`rest_invalid_param\`. \`http_error\` when the response is not an error of the API.
   */
  readonly code: string
  /** Details of the error, such as \`params\` of \`rest_invalid_param\`. */
  readonly data: unknown

  constructor(status: number, code: string, message: string, data: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}

/** The header that authenticates a program with a login name and an application password of that user. */
export function applicationPassword(login: string, password: string): Record<string, string> {
  let bytes = ''
  for (const byte of new TextEncoder().encode(\`\${login}:\${password}\`)) bytes += String.fromCharCode(byte)
  return { Authorization: \`Basic \${btoa(bytes)}\` }
}

/** The nonce header. The service accepts a browser's login cookie only together with it. */
export function nonce(value: string): Record<string, string> {
  return { 'X-WP-Nonce': value }
}

type Path = readonly (string | { readonly name: string })[]

/** Makes a body of arguments. */
type Encode = (values: ReadonlyMap<string, unknown>) => string | FormData

const json: Encode = (values) => JSON.stringify(Object.fromEntries(values))

async function call<Result, As extends ReadAs>(
  options: ClientOptions,
  method: string,
  paths: readonly Path[],
  args: object,
  init?: CallOptions<As>,
  encode: Encode = json,
): Promise<ReadBody<Result, As>> {
  return (await resultOf(await send(options, method, paths, args, init, encode), init?.as)) as ReadBody<Result, As>
}

async function send(
  options: ClientOptions,
  method: string,
  paths: readonly Path[],
  args: object,
  { headers, signal, idempotencyKey }: CallOptions<ReadAs> = {},
  encode: Encode = json,
): Promise<Response> {
  const values = new Map<string, unknown>(Object.entries(args).filter(([, value]) => value !== undefined))
  let url = (options.root ?? ${root}).replace(/\\/+$/, '') + pathOf(paths, values)
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const query = hasBody ? '' : [...values].flatMap(([name, value]) => queryParameters(name, value)).join('&')
  if (query !== '') {
    url += (url.includes('?') ? '&' : '?') + query
  }
  const body = hasBody ? encode(values) : null
  const fetcher = options.fetch ?? ((address: string, init: RequestInit) => fetch(address, init))
  const response = await fetcher(url, {
    method,
    headers: { ...(typeof body === 'string' && { 'Content-Type': 'application/json' }), ...options.headers, ...headers, ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }) },
    ...(body !== null && { body }),
    ...(options.credentials !== undefined && { credentials: options.credentials }),
    ...(signal !== undefined && { signal }),
  })
  options.onResponse?.(response)
  return response
}

/** The longest path whose parameters all have values. Removes those values from \`values\`. */
function pathOf(paths: readonly Path[], values: Map<string, unknown>): string {
  const hasValues = (path: Path) => path.every((piece) => typeof piece === 'string' || (values.get(piece.name) ?? null) !== null)
  const path = [...paths].reverse().find(hasValues)
  if (path === undefined) throw new TypeError('A parameter of the path is missing.')
  const pieces = path.map((piece) => (typeof piece === 'string' ? piece : encodeURIComponent(String(values.get(piece.name)))))
  for (const piece of path) if (typeof piece !== 'string') values.delete(piece.name)
  const text = pieces.join('')
  // \`fetch\` resolves \`.\` and \`..\` in a URL, which would call another route.
  if (/\\/\\.{0,2}(?:\\/|$)/.test(text)) throw new TypeError(\`'\${text}' would lead to another path.\`)
  return text
}

/** \`tags[0]=a&tags[1]=b\`: every name is unique, because the service uses only the last value of a repeated name. */
function queryParameters(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.length === 0) return [\`\${encodeURIComponent(name)}=\`]
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => queryParameters(\`\${name}[\${key}]\`, inner))
  return [\`\${encodeURIComponent(name)}=\${encodeURIComponent(String(value))}\`]
}

async function resultOf(response: Response, as: ReadAs = 'json'): Promise<unknown> {
  if (response.ok && as === 'response') return response
  if (response.ok && as === 'blob') return response.blob()
  if (response.ok && as === 'text') return response.text()
  const text = await response.text()
  const body = parseJson(text)
  if (response.ok && body !== undefined) return body
  const { code, message, data } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  throw new RestClientError(
    response.status,
    typeof code === 'string' ? code : 'http_error',
    typeof message === 'string' ? message : messageOf(response),
    data ?? null,
  )
}

function messageOf({ ok, status, headers }: Response): string {
  const type = headers.get('Content-Type') ?? 'no type'
  return ok ? \`The response is not JSON (\${type}): read it with { as: 'text' }, 'blob' or 'response'.\` : \`The service answered \${status}.\`
}

/** Null for an empty text, undefined for a text that is not JSON. */
function parseJson(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
`
}

/** The part of the client that only routes with event streams need. */
export const clientEventsRuntime = `async function callForEvents(
  options: ClientOptions,
  method: string,
  paths: readonly Path[],
  args: object,
  init?: CallOptions,
): Promise<Response> {
  const response = await send(options, method, paths, args, init)
  if (!response.ok) await resultOf(response)
  return response
}
`

/** The part for routes that take files. */
export const clientFormRuntime = `/** \`fetch\` itself writes the content type, with the boundary of the form. */
const form: Encode = (values) => {
  const data = new FormData()
  for (const [name, value] of values) addToForm(data, name, value)
  return data
}

/** Members of lists and maps have names of their own: \`pages[0]\`. */
function addToForm(data: FormData, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (value instanceof Blob) data.append(name, value)
  else if (typeof value !== 'object') data.append(name, String(value))
  else if (Array.isArray(value) && value.length === 0) data.append(name, '')
  else for (const [key, inner] of Object.entries(value)) addToForm(data, \`\${name}[\${key}]\`, inner)
}
`
