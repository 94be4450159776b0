import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { AsRestRoute, RestResponse, type RestRequest } from 'as-rest-route'
import { clientSource } from '../../src/documents/client-source.js'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { emptyFolder, removeFolders } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'

const seat = {
  type: 'object',
  description: 'A seat.',
  properties: {
    row: { type: 'integer', required: true },
    tags: { type: 'array', items: { type: 'string', enum: ['aisle', 'window'] } },
    note: { type: ['string', 'null'] },
  },
} as const
const taken = { type: 'object', properties: { by: { type: 'string', required: true } } } as const

class SeatsApi {
  @AsRestRoute({
    namespace: 'hall/v1',
    route: '/seats',
    permission: 'public',
    responses: { 200: { type: 'array', items: seat } },
  })
  list() {
    return [{ row: 1, tags: ['aisle' as const], note: null, secret: 'price' }]
  }

  @AsRestRoute({
    namespace: 'hall/v1',
    route: '/seats/(?P<row>\\d+)',
    method: 'PUT',
    permission: 'public',
    responses: { 200: seat, 201: seat, 204: {}, 409: taken },
  })
  take(request: RestRequest<{ row: string }>) {
    const row = request.pathId('row')
    if (row === 2) return new RestResponse({ by: 'Ann' }, 409)
    return row === 3 ? new RestResponse(null, 204) : new RestResponse({ row }, 201)
  }

  @AsRestRoute({ namespace: 'hall/v1', route: '/plan', permission: 'public' })
  plan() {
    return { rows: 9 }
  }
}

const folder = emptyFolder()
let site: StartedService
before(async () => {
  site = await startService([SeatsApi])
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'client.ts'), clientSource(site.service.routes, site.rest))
})
after(async () => {
  await site.close()
  removeFolders()
})

describe('the client of routes with response schemas', () => {
  it('gives their results the types of the schemas', () => {
    const use = `import { createClient } from './client.js'
      const client = createClient()
      export async function use(): Promise<void> {
        for (const seat of await client.seatsList()) {
          const row: number = seat.row
          const note: string | null | undefined = seat.note
          const tags: readonly ('aisle' | 'window')[] = seat.tags ?? []
          // @ts-expect-error a property that is never sent
          console.log(row, note, tags, seat.secret)
        }
        const put = await client.seatsTake({ row: 5 })
        const row: number | undefined = put?.row
        // @ts-expect-error without a schema, the result is unknown
        console.log(row, (await client.seatsPlan()).rows)
      }`
    writeFileSync(join(folder, 'use.ts'), use)
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
    const options = '--noEmit --strict --exactOptionalPropertyTypes --target es2022 --lib es2022,dom --module nodenext'
    execFileSync(process.execPath, [tsc, ...options.split(' '), join(folder, 'use.ts')], { cwd: folder })
  })

  it('returns what the service sends', async () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- a module that is written by this very test
    const { createClient } = (await import(pathToFileURL(join(folder, 'client.ts')).href)) as any
    const client = createClient({ root: site.rest })
    assert.deepEqual(await client.seatsList(), [{ row: 1, tags: ['aisle'], note: null }])
    assert.deepEqual(await client.seatsTake({ row: 4 }), { row: 4 })
    assert.equal(await client.seatsTake({ row: 3 }), null)
    await assert.rejects(client.seatsTake({ row: 2 }), { status: 409 })
  })
})

describe('the OpenAPI document of routes with response schemas', () => {
  const document = () =>
    JSON.parse(
      JSON.stringify(
        openApiDocument(site.service.routes, { title: 'Hall', baseUrl: 'https://hall.example', restPrefix: 'wp-json' }),
      ),
    ) as { readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>> }

  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate(document())
    assert.ok(valid, JSON.stringify(errors))
  })

  it('has the schema of each declared status, and no other successful response', () => {
    const { paths } = document()
    const { get } = paths['/hall/v1/seats'] ?? assert.fail()
    const { put } = paths['/hall/v1/seats/{row}'] ?? assert.fail()
    const schemaOf = {
      type: 'object',
      properties: {
        row: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string', enum: ['aisle', 'window'] } },
        note: { type: ['string', 'null'] },
      },
      required: ['row'],
    }
    const responses = put?.responses as Readonly<
      Record<string, { readonly content?: object; readonly description: string }>
    >
    assert.deepEqual(responses['201'], {
      description: 'A seat.',
      content: { 'application/json': { schema: schemaOf } },
    })
    assert.deepEqual(responses['204'], { description: 'The response of the handler.' })
    const failure = {
      anyOf: [
        { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] },
        { $ref: '#/components/schemas/RestError' },
      ],
    }
    assert.deepEqual(responses['409']?.content, { 'application/json': { schema: failure } })
    assert.deepEqual(
      Object.keys(get?.responses ?? {}).filter((status) => status.startsWith('2')),
      ['200'],
    )
  })
})
