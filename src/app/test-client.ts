/** A response of the service, read whole, but for a stream of events. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  /**
   * The parsed body of a response in JSON, the text of another one. It has the type `any`, so that a test reads it without
   * a cast: `response.body.title`. A stream of events, which does not end by itself, is the `ReadableStream` of its bytes;
   * `cancel()` ends it.
   */
  // oxlint-disable-next-line no-explicit-any
  readonly body: any
  /** Empty for a stream of events. */
  readonly text: string
}

export interface TestRequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** The query: `{ per_page: 5, status: ['draft', 'publish'] }`. A list becomes `status[]=draft&status[]=publish`. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>
}

type QueryValue = string | number | boolean

/** The body of a request: a map or a list is sent as JSON, the others as `fetch` sends them. */
export type TestBody = object | string | URLSearchParams | FormData | Blob | Uint8Array | null

/** Identifies a caller: `headers` is called before each request, `received` with the headers of each response. */
export interface TestCredentials {
  headers(): Promise<Readonly<Record<string, string>>>
  received(headers: Headers): void
}

/** Sends requests to a test service as one caller. */
export class TestClient {
  readonly #send: (request: Request) => Promise<Response>
  readonly #restRoot: string
  readonly #credentials: TestCredentials | null
  readonly #namespaces: () => Iterable<string>

  /**
   * @param restRoot the URL of the REST prefix, without a trailing slash.
   * @param namespaces those of all routes. Called only for a path that begins as the REST prefix does.
   * @param credentials null for a visitor.
   */
  constructor(
    send: (request: Request) => Promise<Response>,
    restRoot: string,
    namespaces: () => Iterable<string>,
    credentials: TestCredentials | null = null,
  ) {
    this.#send = send
    this.#restRoot = restRoot
    this.#namespaces = namespaces
    this.#credentials = credentials
  }

  /** @param path of a route, without the REST prefix: `/shop/v1/products`. A query may follow it. */
  get(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('GET', path, null, options)
  }

  head(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('HEAD', path, null, options)
  }

  options(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('OPTIONS', path, null, options)
  }

  post(path: string, body: TestBody = null, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('POST', path, body, options)
  }

  put(path: string, body: TestBody = null, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('PUT', path, body, options)
  }

  patch(path: string, body: TestBody = null, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('PATCH', path, body, options)
  }

  delete(path: string, body: TestBody = null, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('DELETE', path, body, options)
  }

  async request(
    method: string,
    path: string,
    body: TestBody = null,
    { headers = {}, query = {} }: TestRequestOptions = {},
  ): Promise<TestResponse> {
    const url = new URL(this.#restRoot + this.#pathOf(path))
    for (const [name, value] of Object.entries(query))
      if (typeof value === 'object') for (const item of value) url.searchParams.append(`${name}[]`, String(item))
      else url.searchParams.append(name, String(value))
    const sent = new Headers(await this.#credentials?.headers())
    const isJson = body !== null && !isFetchBody(body)
    if (isJson) sent.set('Content-Type', 'application/json')
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    const content = isJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']> | null)
    const response = await this.#send(
      new Request(url, { method, headers: sent, ...(content !== null && { body: content }) }),
    )
    this.#credentials?.received(response.headers)
    return readResponse(response)
  }

  /** @throws RangeError for a URL, and for a path with the REST prefix, which would be there twice: no route would match. */
  #pathOf(text: string): string {
    if (URL.canParse(text))
      throw new RangeError(
        `'${text}' is a URL. The client takes the path of a route, such as '/shop/v1/products'; service.fetch(new Request(url)) requests any URL.`,
      )
    const path = text.startsWith('/') ? text : `/${text}`
    const prefix = new URL(this.#restRoot).pathname
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return path
    const routePath = path.slice(1)
    for (const namespace of this.#namespaces())
      if (routePath.startsWith(`${namespace}/`) || routePath === namespace) return path
    throw new RangeError(
      `The path '${text}' begins with the REST prefix, which the client adds by itself: write '${path.slice(prefix.length) || '/'}'.`,
    )
  }
}

function isFetchBody(body: object | string): boolean {
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return true
  return [URLSearchParams, FormData, Blob, ReadableStream].some((type) => body instanceof type)
}

const eventStreamType = 'text/event-stream'

async function readResponse(response: Response): Promise<TestResponse> {
  const { status, headers } = response
  if (headers.get('Content-Type') === eventStreamType) return { status, headers, text: '', body: response.body }
  const text = await response.text()
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? '')
  return { status, headers, text, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text }
}
