import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { ArgumentSchema } from '../../src/validation/rules.js'
import { clientSource } from '../../src/documents/client-source.js'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import type { RestRequest } from '../../src/http/rest-request.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { emptyFolder, removeFolders } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'

const namespace = 'odd/v1'

/** `__proto__` as a name of its own. */
const args: ArgumentSchema = Object.fromEntries([
  ['__proto__', { type: 'string', required: true }],
  ['constructor', { type: 'integer', default: 1 }],
  ['quo\'te"`${x}\\', { type: 'string', description: 'ends */ here `${1}`\u2028*/ \\' }],
  ['*/', { type: 'boolean' }],
  ['line\nbreak', { type: 'string', enum: ['a\u2028b', "'", '"', '`${x}`', '\\', '*/', '\ud800', ''] }],
  ['1st', { type: 'number', enum: [1, -1, 1.5, 1e21] }],
  ['mixed', { type: ['integer', 'string', 'null', 'boolean'], enum: [1, 'a', null, true] }],
  ['list', { type: ['array', 'null'], items: { type: ['integer', 'null'] }, default: null }],
  ['words', { type: 'string', pattern: '^[[:alpha:]]+$' }],
  [
    'deep',
    {
      type: 'object',
      properties: { 'a-b': { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
    },
  ],
])

class Ä1Api {
  @AsRestRoute({ namespace, route: '/named', permission: 'public', args })
  show(request: RestRequest) {
    return new RestResponse(request.get_params())
  }

  @AsRestRoute({ namespace, route: '/named', method: 'POST', permission: 'public', args })
  '*/ make'(request: RestRequest) {
    return new RestResponse(request.get_params())
  }

  @AsRestRoute({ namespace, route: '/words', method: 'DELETE', permission: 'public' })
  all() {
    return new RestResponse('everything is gone')
  }

  @AsRestRoute({ namespace, route: '/words/(?P<constructor>[^/]+)', method: 'DELETE', permission: 'public' })
  日本(request: RestRequest) {
    return new RestResponse(request.get_params())
  }

  @AsRestRoute({ namespace, route: '/\\*/\\$/(?P<star>[*/]+)', permission: 'public' })
  '...'(request: RestRequest) {
    return new RestResponse(request.get_params())
  }
}

const folder = emptyFolder()
let site: StartedService
before(async () => {
  site = await startService([Ä1Api])
  // A module, whatever lies above the folder.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'client.ts'), clientSource(site.service.routes, site.rest))
})
after(async () => {
  await site.close()
  removeFolders()
})

// oxlint-disable-next-line typescript/no-explicit-any -- a module that is written by this very test
const client = async (): Promise<any> =>
  (await import(pathToFileURL(join(folder, 'client.ts')).href)).createClient({ root: site.rest })

describe('the client of routes with odd names', () => {
  // The templates of Vite and others ask for more than `strict`.
  const newer = '--erasableSyntaxOnly --verbatimModuleSyntax --isolatedModules --noUnusedLocals --noUnusedParameters'
  for (const [compiler, more] of [
    ['typescript54', ''],
    ['typescript', newer],
    ['typescript7', newer],
  ] as const)
    it(`compiles strictly with ${compiler}`, () => {
      const source = clientSource(site.service.routes, 'https://shop.example/*/`${x}"\u2028/wp-json')
      writeFileSync(join(folder, 'odd.ts'), source)
      const tsc = fileURLToPath(new URL(`../../node_modules/${compiler}/bin/tsc`, import.meta.url))
      const options = `--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess ${more}`.trim()
      const target = '--noPropertyAccessFromIndexSignature --target es2022 --lib es2022,dom --module nodenext'
      execFileSync(process.execPath, [tsc, ...`${options} ${target}`.split(' '), join(folder, 'odd.ts')], {
        cwd: folder,
      })
    })

  it('calls them by names that an identifier can have', async () => {
    assert.deepEqual(Object.keys(await client()), ['ä1Show', 'ä1Make', 'ä1All', 'ä1日本', 'ä1'])
  })

  it('sends every name as it is', async () => {
    const parameters = Object.fromEntries([
      ['__proto__', 'p'],
      ['constructor', 5],
      ['quo\'te"`${x}\\', 'q'],
      ['*/', true],
      ['1st', -1],
      ['deep', { 'a-b': ['x'] }],
    ])
    const response = await (await client())['ä1Make'](parameters)
    for (const [name, value] of Object.entries(parameters))
      assert.deepEqual(Object.getOwnPropertyDescriptor(response, name)?.value, value, name)
    assert.deepEqual(await (await client())['ä1']({ star: '*' }), { star: '*' })
  })

  it('calls the requested route and no other, whatever the value', async () => {
    for (const value of ['', '.', '..'])
      await assert.rejects((await client())['ä1日本']({ constructor: value }), TypeError)
    for (const value of ['../named', '...', '%2e%2e', '?', '#', 'a b']) {
      const taken = (await (await client())['ä1日本']({ constructor: value })) as object
      assert.deepEqual(Object.keys(taken), ['constructor'], value)
    }
  })
})

describe('the OpenAPI document of routes with odd names', () => {
  const document = () =>
    JSON.parse(
      JSON.stringify(
        openApiDocument(site.service.routes, { title: 'Odd', baseUrl: 'https://odd.example', restPrefix: 'wp-json' }),
      ),
    ) as Record<string, never>

  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate(document())
    assert.equal(valid, true, JSON.stringify(errors))
  })

  it('does not give a pattern of PCRE for one of ECMAScript that means something else', () => {
    const text = JSON.stringify(document())
    assert.match(text, /"x-pcre-pattern":"\^\[\[:alpha:\]\]\+\$"/)
    assert.doesNotMatch(text, /"pattern":"\^\[\[:/)
  })
})
