import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import createFetchClient from 'openapi-fetch'
import openapiTypeScript, { astToString } from 'openapi-typescript'
import { emptyFolder, removeFolders, runHere } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'

const catalogue = fileURLToPath(new URL('../fixtures/catalogue/', import.meta.url))
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const folder = emptyFolder()
let site: StartedService
let password = ''

before(async () => {
  site = await startService(catalogue, { environment: 'local' })
  const { id } = await site.service.users.create({
    login: 'ann',
    email: 'ann@catalogue.example',
    password: 'secret',
    role: 'editor',
  })
  password = (await site.service.applicationPasswords.create(id, { name: 'test' })).password
  const { code, stdout, stderr } = await runHere(['client', catalogue, '--base-url', site.url])
  assert.equal(code, 0, stderr)
  writeFileSync(join(folder, 'client.ts'), stdout)
})

after(async () => {
  await site.close()
  removeFolders()
})

/** What the strict compiler says of a file beside the client; empty when nothing. */
function complaints(name: string, source: string): string {
  writeFileSync(join(folder, name), source)
  const options =
    '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noPropertyAccessFromIndexSignature'
  const target = '--noEmit --target es2022 --lib es2022,dom --module nodenext'
  try {
    execFileSync(process.execPath, [compiler, ...`${options} ${target}`.split(' '), join(folder, name)], {
      cwd: folder,
    })
    return ''
  } catch (error) {
    return String((error as { readonly stdout: unknown }).stdout)
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a module that is written by this very test
const written = async (): Promise<any> => import(pathToFileURL(join(folder, 'client.ts')).href)

describe('a written client', () => {
  it('compiles strictly, and takes what the declarations take', () => {
    const use = `import { createClient, applicationPassword, RestClientError } from './client.js'
      const client = createClient({ headers: applicationPassword('ann', 'secret') })
      export const page: Promise<{ given: object }> = client.catalogueBooks<{ given: object }>({ tags: ['new'], either: true })
      export const made: Promise<unknown> = client.catalogueBooksPost({ title: 'T', size: 'S', authors: [{ name: 'A', born: null }], stock: { note: 'n', Bonn: 2 } })
      export const book = client.catalogueBook({ id: 5, page: 'x' })
      export const perhaps = (tags: string[] | undefined, signal: AbortSignal | undefined) => client.catalogueBooks({ tags: tags?.map(() => 'new' as const) }, { signal })
      export const isFault = (error: unknown): boolean => error instanceof RestClientError && error.code === 'rest_forbidden'`
    assert.equal(complaints('use.ts', use), '')
  })

  const refused: readonly (readonly [call: string, complaint: RegExp])[] = [
    [`catalogueBooks({ tags: ['odd'] })`, /'"odd"' is not assignable/],
    [`catalogueBooks({ pages: 1 })`, /'pages' does not exist/],
    [`catalogueBooksPost({})`, /'{}' is not assignable to parameter of type 'CatalogueBooksPostArguments'/],
    [`catalogueBooksPost()`, /Expected 1-2 arguments/],
    [`catalogueBook({ id: 'five' })`, /'string' is not assignable to type 'number'/],
    [`catalogueBooksPost({ title: 'T', authors: [{ name: 'A', dead: 1 }] })`, /'dead' does not exist/],
    [`catalogueBooksPost({ title: 'T', stock: { Bonn: true } })`, /Type 'true' is not assignable/],
  ]
  it('refuses what they refuse, at compile time', () => {
    const calls = refused.map(([call]) => `createClient().${call}`)
    const all = complaints('refused.ts', `import { createClient } from './client.js'\n${calls.join('\n')}\n`)
    for (const [index, [, complaint]] of refused.entries()) {
      const own = all
        .split('\n')
        .filter((line) => line.startsWith(`refused.ts(${index + 2},`))
        .join('\n')
      assert.match(own, complaint)
    }
  })

  it('is read by the service as it was meant', async () => {
    const { createClient, applicationPassword } = await written()
    const client = createClient({ headers: applicationPassword('ann', password) })
    const parameters = { page: 2, tags: ['new', 'rare, signed'], price: { from: 1.5 }, either: 7, available: false }
    assert.deepEqual(await client.catalogueBooks(parameters), { method: 'GET', given: parameters })
    assert.deepEqual((await client.catalogueBooks({ tags: [] })).given.tags, [])
    assert.deepEqual(await client.catalogueBook({ id: 5 }), { id: 5, page: null })
    assert.deepEqual(await client.catalogueBook({ id: 5, page: 12 }), { id: 5, page: '12' })
    const book = { title: 'Bücher & Co', authors: [{ name: 'A', born: null }], size: 3, subtitle: null }
    assert.deepEqual(await client.catalogueBooksPost(book), { method: 'POST', given: book })
    assert.deepEqual(await client.catalogueDrafts(), [])
  })

  const faults: readonly (readonly [name: string, parameters: object, status: number, code: string])[] = [
    ['catalogueBooks', { page: 0 }, 400, 'rest_invalid_param'],
    ['catalogueBooksPost', {}, 400, 'rest_missing_callback_param'],
    ['catalogueDrafts', {}, 401, 'rest_forbidden'],
    ['catalogueRemove', { id: 13 }, 409, 'unlucky'],
    ['catalogueBreaks', {}, 500, 'internal_server_error'],
  ]
  for (const [name, parameters, status, code] of faults) {
    it(`rejects with ${status} ${code}`, async () => {
      const { createClient, RestClientError } = await written()
      const call = createClient()[name === 'catalogueBreaks' ? 'catalogueBroken' : name]
      await assert.rejects(call(parameters), (error: Error) => {
        assert.ok(error instanceof RestClientError)
        const fault = error as unknown as { readonly status: number; readonly code: string; readonly data: object }
        assert.deepEqual([fault.status, fault.code], [status, code])
        assert.equal((fault.data as { readonly status: number }).status, status)
        return true
      })
    })
  }

  it('tells a response that is no API by its status', async () => {
    const { createClient } = await written()
    const lost = createClient({ root: `${site.url}/nowhere` })
    await assert.rejects(lost.catalogueDrafts(), { code: 'http_error', status: 404 })
  })

  it('tells that a body is not JSON', async () => {
    const { createClient } = await written()
    const file = createClient({ fetch: () => fetch(`${site.url}/healthz`) })
    await assert.rejects(file.catalogueDrafts(), {
      code: 'http_error',
      status: 200,
      message: /^The response is not JSON \(text\/plain.*\): read it with \{ as: 'text' \}, 'blob' or 'response'\.$/,
    })
  })

  it('passes each response to onResponse, and sends a nonce', async () => {
    const { createClient, nonce } = await written()
    const seen: (string | null)[] = []
    const onResponse = (response: Response) => seen.push(response.headers.get('Allow'))
    const client = createClient({ headers: nonce('0123456789'), onResponse })
    await assert.rejects(client.catalogueDrafts(), { code: 'rest_cookie_invalid_nonce', status: 403 })
    assert.equal(seen.length, 1)
  })
})

describe('openapi-typescript and openapi-fetch', () => {
  it('compile against the document', async () => {
    const { stdout } = await runHere(['openapi', catalogue, '--base-url', site.url])
    writeFileSync(join(folder, 'schema.ts'), astToString(await openapiTypeScript(stdout)))
    const use = `import type { paths } from './schema.js'
      export const query: NonNullable<paths['/cat/v1/books']['get']['parameters']['query']> = { page: 1, tags: ['new'] }
      export type Body = NonNullable<paths['/cat/v1/books']['post']['requestBody']>['content']['application/json']
      export const body: Body = { title: 'T' }
      export const id: paths['/cat/v1/books/{id}']['get']['parameters']['path'] = { id: 5 }`
    assert.equal(complaints('schema-use.ts', use), '')
  })

  it('are understood by the service', async () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- the types of this document are compiled above
    const client = createFetchClient<any>({
      baseUrl: `${site.url}/wp-json`,
      headers: { Authorization: `Basic ${btoa(`ann:${password}`)}` },
      querySerializer: { array: { style: 'form', explode: false }, object: { style: 'deepObject', explode: true } },
    })
    const query = { tags: ['new', 'old'], price: { from: 2 } }
    const list = await client.GET('/cat/v1/books', { params: { query } })
    assert.deepEqual(list.data, { method: 'GET', given: { page: 1, tags: ['new', 'old'], price: { from: 2 } } })
    const created = await client.POST('/cat/v1/books', { body: { title: 'Typed' } })
    assert.deepEqual(created.data, { method: 'POST', given: { title: 'Typed' } })
    const refused = await client.GET('/cat/v1/books', { params: { query: { page: 'x' } } })
    assert.equal((refused.error as { readonly code: string }).code, 'rest_invalid_param')
  })
})
