/** What the tests use of wpapi, which comes without types. */
declare module 'wpapi' {
  export interface Paging {
    readonly total: number
    readonly totalPages: number
    readonly next?: WPRequest
    readonly prev?: WPRequest
  }

  export type Body = Record<string, unknown> & { readonly _paging?: Paging }

  export interface WPRequest extends PromiseLike<Body> {
    id(id: number | string): WPRequest
    page(page: number): WPRequest
    perPage(count: number): WPRequest
    param(name: string, value: unknown): WPRequest
    embed(): WPRequest
    setHeaders(name: string, value: string): WPRequest
    headers(): Promise<Record<string, string>>
    get(): Promise<Body>
    create(body: object): Promise<Body>
    update(body: object): Promise<Body>
    delete(): Promise<unknown>
  }

  export default class WPAPI {
    constructor(options: { endpoint: string; username?: string; password?: string; nonce?: string })
    static discover(url: string): Promise<WPAPI>
    auth(credentials: { username: string; password: string }): this
    root(): WPRequest
    users(): { me(): WPRequest }
    /** What the index names; `books` is what these tests ask for. */
    namespace(name: string): { books(): WPRequest }
    /** Makes a method, to be put on the client. */
    registerRoute(namespace: string, route: string): () => WPRequest
  }
}
