import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AsRestRoute, boot, RestResponse, ViewEngineInterface, type Diagnostic } from 'as-rest-route'
import { readConfiguration } from '../../src/app/configuration.js'
import { inspect } from '../../src/app/plan.js'
import type { BootOptions } from '../../src/app/options.js'
import { refusalOf } from './refusal.js'
import { temporaryDatabase } from '../support/test-database.js'

// The messages of refused starts are in `snapshots`, where a reviewer can read them as a whole.
// `UPDATE_SNAPSHOTS=1 node scripts/test.mjs test/start` writes the files again.

const root = fileURLToPath(new URL('../../', import.meta.url))
const fixtures = new URL('../fixtures/start/', import.meta.url)

const folders: [name: string, diagnostics: number][] = [
  ['declarations', 49],
  ['targets', 15],
  ['endpoints', 16],
  ['against-each-other', 4],
  ['modules', 7],
  ['dependencies', 6],
  ['without-views', 2],
  ['empty', 1],
  ['nowhere', 1],
]
for (const [name, count] of folders) {
  test(`a start from fixtures/start/${name} is refused with all its diagnostics at once`, async () => {
    const refusal = await refusalOf(new URL(`${name}/`, fixtures))
    assert.equal(refusal.diagnostics.length, count)
    for (const diagnostic of refusal.diagnostics) assertLocation(diagnostic)
    const file = new URL(`snapshots/${name}.txt`, import.meta.url)
    const text = refusal.message.replaceAll(root, '')
    if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(file, text)
    assert.equal(text, readFileSync(file, 'utf8'))
  })
}

/** The location of a diagnostic of a declaration is a line with a declaration. */
function assertLocation({ location, subject }: Diagnostic): void {
  if (location === null || subject === 'module') return
  assert.ok(existsSync(location.file), location.file)
  const line = readFileSync(location.file, 'utf8').split('\n')[location.line - 1] ?? ''
  assert.match(line, /\bAsRestRoute\b|\bendpoint\(/, `${relative(root, location.file)}:${location.line} of ${subject}`)
}

test('a route with a template and without a views folder has one diagnostic, and none with a view engine', async () => {
  const folder = new URL('without-views/', fixtures)
  const missingFolder = await refusalOf(folder, { views: 'nowhere' })
  assert.deepEqual(
    missingFolder.diagnostics.map(({ subject }) => subject),
    ['option views'],
  )
  const { Pages } = (await import(new URL('pages.ts', folder).href)) as { Pages: never }
  const { diagnostics } = await refusalOf([Pages])
  assert.match(
    diagnostics[0]?.message ?? '',
    /: there is no folder of templates\. Name it in the option 'views', or bring/,
  )
  class Engine extends ViewEngineInterface {
    render = async () => 'rendered'
    renderFirst = this.render
    exists = () => true
    share = () => {}
  }
  const provide = [[ViewEngineInterface, Engine]] as const
  const service = await boot(folder, { database: await temporaryDatabase(), provide })
  const response = await service.fetch(new Request('http://localhost/api/shop/v1/deck'))
  assert.equal(await response.json(), 'rendered')
  await service.close()
})

/** Declarations in the manner of WordPress and other frameworks. */
const foreignDeclarations: [what: string, declaration: object, message: RegExp][] = [
  ['a list of methods', { method: ['GET', 'POST'] }, /^method is a list\. Write one @AsRestRoute for each method\.$/],
  [
    'methods with a comma',
    { method: 'GET, POST' },
    /^method 'GET, POST' names several\. Write one @AsRestRoute for each/,
  ],
  ['methods with a mere comma', { method: 'get,POST' }, /names several\. Write one @AsRestRoute for each method\.$/],
  ['a method with a space', { method: 'GET x' }, /^method 'GET x' is not one of GET, POST, PUT, PATCH, DELETE\.$/],
  ['methods', { methods: 'GET' }, /^'methods' is not a key of a declaration\. Did you mean 'method'\?/],
  ['permission_callback', { permission_callback: 'mayRead' }, / Did you mean 'permission'\?$/],
  ['callback', { callback: 'read' }, / The method that carries the declaration is the callback\.$/],
  ['validate_callback', { validate_callback: 'read' }, / Use one of: namespace, route, /],
]
for (const [what, members, message] of foreignDeclarations)
  test(`a declaration in the manner of another framework is refused with a remedy: ${what}`, async () => {
    const declaration = { namespace: 'shop/v1', route: '/items', permission: 'public', ...members }
    class Items {
      @AsRestRoute(declaration as never)
      read(): RestResponse {
        return new RestResponse(null)
      }
    }
    const { diagnostics } = await refusalOf([Items])
    assert.equal(diagnostics.length, 1)
    assert.match(diagnostics[0]?.message ?? '', message)
  })

/** The analysis takes the JavaScript form of a pattern, which may need more steps than the PCRE pattern. */
const slowRoutes: [route: string, culprit: string][] = [
  ['/path/(?:([a-z]*)?-)+', '(?:([a-z]*)?-)+'],
  ['/path/(?:([a-z]*)??-)+', '(?:([a-z]*)??-)+'],
  ['/path/(?:(?:a?)+-)+', '(?:(?:a?)+-)+'],
]
for (const [route, culprit] of slowRoutes)
  test(`a route that takes exponential time is refused: ${route}`, async () => {
    class Paths {
      @AsRestRoute({ namespace: 'shop/v1', route, permission: 'public' })
      read(): RestResponse {
        return new RestResponse(null)
      }
    }
    const { diagnostics } = await refusalOf([Paths])
    assert.equal(diagnostics.length, 1)
    const { message = '' } = diagnostics[0] ?? {}
    assert.ok(message.startsWith(`route '${route}' cannot be used: A match can take exponential time: '${culprit}' `))
  })

test('a pattern of an argument that takes exponential time is refused', async () => {
  class Tags {
    @AsRestRoute({
      namespace: 'shop/v1',
      route: '/tags',
      permission: 'public',
      args: { tags: { type: 'string', pattern: '^(([a-z]*)?,)+$' } },
    })
    read(): RestResponse {
      return new RestResponse(null)
    }
  }
  const { diagnostics } = await refusalOf([Tags])
  assert.deepEqual(
    diagnostics.map(({ message }) => message),
    ["argument 'tags': pattern '^(([a-z]*)?,)+$' can take exponential time, because of '(([a-z]*)?,)+'."],
  )
})

test('a diagnostic of the configuration has the line of the option, also for a missing folder', async () => {
  const folder = fileURLToPath(new URL('misconfigured/', fixtures))
  const configuration = await readConfiguration(folder)
  const { diagnostics } = await inspect(join(folder, 'ap'), {}, configuration)
  assert.deepEqual(
    diagnostics
      .map(({ location, subject }) => [location && relative(folder, location.file), location?.line, subject])
      .sort(),
    [
      ['as-rest-route.config.ts', 1, 'option body_limit'],
      ['as-rest-route.config.ts', 10, 'option trusted_proxies'],
      ['as-rest-route.config.ts', 11, 'option views'],
      ['as-rest-route.config.ts', 3, 'option cache_bytes'],
      ['as-rest-route.config.ts', 4, 'option handlers'],
      ['as-rest-route.config.ts', 6, 'option site.timezone'],
      ['as-rest-route.config.ts', 6, 'option site.views'],
    ],
  )
  const { message } = diagnostics.find(({ subject }) => subject === 'option handlers') ?? {}
  assert.equal(message, `there is no folder ${join(folder, 'ap')}. Correct the path, or make the folder.`)
})

test('a diagnostic about several options has the line of one of them', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'misconfigured-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const lines = ['export default {', "  public: './',", "  database: 'sqlite:site.sqlite',", '  provide: [],', '}']
  const file = join(folder, 'as-rest-route.config.txt')
  writeFileSync(file, lines.join('\n'))
  const options = {
    public: folder,
    database: `sqlite:${join(folder, 'site.sqlite')}`,
    provide: [[ViewEngineInterface, 42]],
  } as never
  const locationsOf = async (overrides: object) =>
    (await inspect(folder, overrides, { file, options })).diagnostics
      .filter(({ subject }) => subject.startsWith('option'))
      .map(({ location, subject }) => [location?.line, subject])
  assert.deepEqual(await locationsOf({}), [
    [2, 'option public'],
    [4, 'option provide'],
  ])
  assert.deepEqual(await locationsOf({ public: folder }), [
    [undefined, 'option public'],
    [4, 'option provide'],
  ])
})

test('an option that is allowed in the configuration file only is refused by boot', async () => {
  const { diagnostics } = await refusalOf(new URL('sound/', fixtures), {
    handlers: './app/',
    trusted_proxies: ['x'],
  } as never)
  assert.deepEqual(
    diagnostics.map(({ location, subject }) => [location, subject]),
    [
      [null, 'option handlers'],
      [null, 'option trusted_proxies'],
    ],
  )
  assert.match(diagnostics[0]?.message ?? '', /^it belongs into the configuration file only\. Give boot the folder,/)
})

const invalidClasses: [what: string, value: unknown][] = [
  ['a class without declarations', class Plain {}],
  ['a function', function helper() {}],
  ['an object', { route: '/' }],
  ['null', null],
]
for (const [what, value] of invalidClasses)
  test(`${what} among the classes is refused`, async () => {
    const { diagnostics } = await refusalOf([value as never])
    assert.match(diagnostics[0]?.message ?? '', /not a class with a method declared by @AsRestRoute/)
  })

test('an empty list of classes is refused', async () => {
  const { diagnostics } = await refusalOf([])
  assert.match(diagnostics[0]?.message ?? '', /there is no route/)
})

test('an invalid REDIS_URL is refused without being printed; an empty value is ignored', async () => {
  const before = process.env['REDIS_URL']
  try {
    process.env['REDIS_URL'] = 'http://:secret@localhost'
    const { diagnostics } = await refusalOf(new URL('empty/', fixtures))
    assert.deepEqual([diagnostics.length, diagnostics[0]?.subject], [2, 'environment REDIS_URL'])
    assert.doesNotMatch(diagnostics[0]?.message ?? '', /secret/)
    process.env['REDIS_URL'] = ''
    assert.equal((await refusalOf(new URL('empty/', fixtures))).diagnostics.length, 1)
  } finally {
    if (before === undefined) delete process.env['REDIS_URL']
    else process.env['REDIS_URL'] = before
  }
})

test('unknown and invalid options are refused together with the diagnostics of declarations', async () => {
  const options = { databse: 'sqlite::memory:', body_limit: 'big', rest_prefix: '/api/' } as unknown as BootOptions
  const { diagnostics } = await refusalOf(new URL('against-each-other/', fixtures), options)
  const subjects = diagnostics.map(({ subject }) => subject)
  for (const name of ['databse', 'body_limit', 'rest_prefix']) assert.ok(subjects.includes(`option ${name}`), name)
  assert.match(
    diagnostics.find(({ subject }) => subject === 'option databse')?.message ?? '',
    /Did you mean 'database'\?/,
  )
  assert.equal(diagnostics.length, 7)
})
