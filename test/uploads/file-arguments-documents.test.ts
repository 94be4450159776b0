import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { clientSource } from '../../src/documents/client-source.js'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { emptyFolder, removeFolders } from '../cli/command-line.js'
import { startService } from '../support/start-service.js'
import { png, PostersApi } from './posters-api.js'

after(removeFolders)

test('index, OPTIONS and OpenAPI describe the files', async (t) => {
  const site = await startService([PostersApi])
  t.after(() => site.close())
  const response = await fetch(`${site.rest}posters/v1/posters/5`, { method: 'OPTIONS' })
  const { endpoints } = (await response.json()) as { endpoints: { args: Record<string, unknown> }[] }
  assert.deepEqual(endpoints[0]?.args['poster'], {
    type: 'string',
    description: 'A picture.',
    format: 'binary',
    required: true,
  })
  assert.deepEqual(endpoints[0]?.args['pages'], {
    type: 'array',
    items: { type: 'string', format: 'binary' },
    maxItems: 2,
    required: false,
  })
  const document = openApiDocument(site.service.routes, {
    title: 'Posters',
    baseUrl: site.url,
    restPrefix: 'wp-json',
  })
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  assert.equal(valid, true, JSON.stringify(errors))
  const { post: operation } = (document as never as { paths: Record<string, { post: { requestBody: unknown } }> })
    .paths['/posters/v1/posters/{id}'] ?? { post: { requestBody: null } }
  const binary = { type: 'string', format: 'binary' }
  assert.deepEqual(JSON.parse(JSON.stringify(operation.requestBody)), {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            title: { type: 'string', minLength: 2 },
            sizes: { type: 'array', items: { type: 'integer' } },
            box: { type: 'object', properties: { width: { type: 'number' } } },
            poster: { ...binary, description: 'A picture.' },
            'pages[]': { type: 'array', items: binary, maxItems: 2 },
            sound: binary,
          },
          required: ['title', 'poster'],
        },
        encoding: {
          sizes: { style: 'form', explode: false },
          box: { style: 'deepObject', explode: true },
          poster: { contentType: 'image/png, image/jpeg' },
          sound: { contentType: 'audio/*' },
        },
      },
    },
  })
})

test('the generated client sends files as a form, and takes nothing else for one', async (t) => {
  const site = await startService([PostersApi])
  t.after(() => site.close())
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'client.ts'), clientSource(site.service.routes, site.rest))
  // oxlint-disable-next-line typescript/no-explicit-any -- a module that is written by this very test
  const { createClient } = (await import(pathToFileURL(join(folder, 'client.ts')).href)) as any
  const client = createClient()
  const response = await client.postersAdd({
    id: 5,
    title: 'Jazz, "live" & läut',
    poster: png(),
    pages: [new Blob(['1']), new Blob(['2'])],
    sound: undefined,
    sizes: [3, 4],
    box: { width: 1.5 },
  })
  assert.deepEqual(response, {
    title: 'Jazz, "live" & läut',
    poster: 'jazz.png image/png 4',
    same: true,
    pages: ['1', '2'],
    sound: null,
    isFirst: true,
    sizes: [3, 4],
    box: { width: 1.5 },
  })
  assert.deepEqual(await client.postersChecked({ note: null }), { name: null, note: null })
  assert.deepEqual((await client.postersAdd({ id: 5, title: 'Jazz', poster: png(), pages: [], sizes: [] })).pages, [])
  await assert.rejects(client.postersAdd({ id: 5, title: 'Jazz', poster: png(4, 'a.gif') }), {
    status: 400,
    code: 'rest_invalid_param',
  })
  const use = `import { createClient } from './client.js'
    const client = createClient()
    export async function use(input: HTMLInputElement): Promise<void> {
      const [file] = input.files ?? []
      if (file) await client.postersAdd({ id: 5, title: 'Jazz', poster: file, pages: [...(input.files ?? [])] })
      // @ts-expect-error the poster is missing
      await client.postersAdd({ id: 5, title: 'Jazz' })
      // @ts-expect-error a name is no file
      await client.postersAdd({ id: 5, title: 'Jazz', poster: 'jazz.png' })
    }`
  writeFileSync(join(folder, 'use.ts'), use)
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const options =
    '--noEmit --strict --exactOptionalPropertyTypes --target es2022 --lib es2022,dom,dom.iterable --module nodenext'
  execFileSync(process.execPath, [tsc, ...options.split(' '), join(folder, 'use.ts')], {
    cwd: folder,
    stdio: 'inherit',
  })
})
