import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BootOptions } from 'as-rest-route'
import { startTestService, type TestService } from 'as-rest-route/testing'
import { isRouteSource } from '../../src/routing/handler-class.js'
import { documentedBlocks, documentedFolder, documentedModules } from '../support/documented-modules.js'
import { typescriptArguments } from '../support/typescript.js'

type Rules = Readonly<Record<string, unknown>>

/** Handlers that need another server, a stream without an end, and what the page shows as wrong. */
const leftOut = new Set(['ExportsApi.logo', 'TicketsApi.buy', 'NewsApi.news', 'TicketsApi.list'])

/** Classes whose start needs another server, or is refused, as their pages say. */
const leftOutClasses: Readonly<Record<string, readonly string[]>> = {
  application: ['SearchApi'],
  declaring: ['ColorsApi'],
}

/** The name of a class; empty for an endpoint. */
const nameOf = (source: object): string => ('name' in source ? String(source.name) : '')

/** Statuses other than those of success: a form that is not sent, and a file that does not exist. */
const refused: Readonly<Record<string, number>> = { 'CoversApi.add': 400, 'InvoicesApi.show': 404 }

mkdirSync(join(documentedFolder, 'views/partials'), { recursive: true })
writeFileSync(join(documentedFolder, 'views/partials/card.eta'), '<b><%= book.title %></b>')

/** A value that the rules of an argument accept. */
function valueFor(rules: Rules): unknown {
  if (Array.isArray(rules['enum'])) return rules['enum'][0]
  if (rules['format'] === 'email') return 'ann@example.com'
  switch (rules['type']) {
    case 'integer':
    case 'number':
      return rules['minimum'] ?? 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object': {
      const properties = Object.entries((rules['properties'] ?? {}) as Record<string, Rules>)
      return Object.fromEntries(properties.map(([name, inner]) => [name, valueFor(inner)]))
    }
    default:
      return 'text'
  }
}

/** Texts and lists as they are, maps member by member. */
const queryOf = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([member, inner]) => [`${name}[${member}]`, String(inner)])
        : [[name, String(value)]],
    ),
  )

/** A path that matches a pattern. */
const pathOf = (route: string): string =>
  route
    .replaceAll(/\(\?:.*\)\?/g, '')
    .replaceAll(/\(\?P<\w+>\\d\{4\}\)/g, '2026')
    .replaceAll(/\(\?P<\w+>[^()]*\)/g, '1')
    .replaceAll('\\', '')

/** Sends a request to each route, as an administrator. @returns what was answered, by handler. */
async function responsesOf(service: TestService): Promise<ReadonlyMap<string, number>> {
  const administrator = service.as('administrator')
  const responses = new Map<string, number>()
  for (const { method, namespace, route, handler, args, idempotencyKey } of service.service.routes) {
    if (leftOut.has(handler)) continue
    const path = `/${namespace}${pathOf(route)}`
    const values: Record<string, unknown> = {}
    for (const [name, rules] of Object.entries(args))
      if (!route.includes(`<${name}>`)) values[name] = valueFor(rules as Rules)
    const headers = idempotencyKey === null ? {} : { 'Idempotency-Key': 'documented' }
    const { status } =
      method === 'GET'
        ? await administrator.get(path, { headers, query: queryOf(values) })
        : await administrator.request(method, path, values, { headers })
    responses.set(handler, status)
  }
  return responses
}

for (const [page, options] of [
  ['declaring', { sanitizers: { to_tags: (value: unknown) => String(value).split(',') } }],
  ['application', {}],
] as const)
  test(`the handlers of docs/${page}.md answer`, async () => {
    const modules = await documentedModules(page)
    // The first configuration with record types is that of the page.
    const configurations = modules.map(({ default: configuration }) => configuration as BootOptions | undefined)
    const record_types = configurations.find((each) => each?.record_types?.['book'])?.record_types
    const roles = configurations.find((each) => each?.roles?.['librarian'])?.roles
    const exported = modules.map((members) => Object.values(members))
    let count = 0
    for (const [index, members] of exported.entries()) {
      const sources = members.filter(isRouteSource).filter((source) => !leftOutClasses[page]?.includes(nameOf(source)))
      if (sources.length === 0) continue
      const service = await startTestService(sources, {
        ...(record_types && { record_types }),
        ...(roles && { roles }),
        ...(options as BootOptions),
        environment: 'development',
        views: join(documentedFolder, 'views'),
        seed: async ({ records }) => {
          const isOfBooks = record_types !== undefined || sources.some((source) => nameOf(source) === 'BookApi')
          await records.insert({ id: 1, type: isOfBooks ? 'book' : 'product', status: 'publish', title: 'Momo' })
        },
      })
      const responses = await responsesOf(service)
      const failed = service.logLines.filter(({ level }) => level === 'error')
      await service.close()
      assert.deepEqual(failed, [], `block ${index + 1} of docs/${page}.md`)
      for (const [handler, status] of responses)
        if (refused[handler] === undefined) assert.ok(status < 300, `${handler} of docs/${page}.md: ${status}`)
        else assert.equal(status, refused[handler], handler)
      count += responses.size
    }
    assert.ok(count >= 8, `${count} handlers`)
  })

test('the tests of docs/application.md pass', () => {
  const project = join(documentedFolder, 'tested')
  for (const name of ['app', 'test']) mkdirSync(join(project, name), { recursive: true })
  const blocks = documentedBlocks('application')
  const blockWith = (part: string) => blocks.find((code) => code.includes(part)) ?? assert.fail(`no block has ${part}`)
  writeFileSync(join(project, 'app/books-api.ts'), blockWith('class BooksApi'))
  writeFileSync(join(project, 'types.ts'), blockWith('record_types: {\n    book: {'))
  writeFileSync(join(project, 'roles.ts'), blockWith('librarian: {'))
  writeFileSync(
    join(project, 'as-rest-route.config.ts'),
    `import types from './types.js'\nimport roles from './roles.js'\nexport default { ...types, ...roles, handlers: './app/' }`,
  )
  const tests = blocks.filter((code) => code.includes('as-rest-route/testing'))
  assert.equal(tests.length, 2)
  for (const [index, code] of tests.entries()) {
    const file = join(project, `test/block-${index + 1}.test.ts`)
    writeFileSync(file, code.includes('service.close()') ? code : `${code}\nawait service.close()\n`)
    const { status, stdout, stderr } = spawnSync(process.execPath, [...typescriptArguments, file], {
      cwd: project,
      encoding: 'utf8',
      // A test runner in a process that it has started itself reports to the outer one.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    })
    assert.equal(status, 0, stdout + stderr)
    if (code.includes("from 'node:test'")) assert.match(stdout, /^(?:# |ℹ )pass 1$/m)
  }
})
