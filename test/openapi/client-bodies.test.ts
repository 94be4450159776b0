import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AsRestRoute, RestError, RestResponse } from 'as-rest-route'
import { clientSource } from '../../src/documents/client-source.js'
import { emptyFolder, removeFolders } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'

const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)

class ReportsApi {
  @AsRestRoute({ namespace: 'reports/v1', route: '/csv', permission: 'public' })
  csv() {
    return new RestResponse(this.lines(), 200, { 'Content-Type': 'text/csv; charset=UTF-8' })
  }

  @AsRestRoute({ namespace: 'reports/v1', route: '/picture', permission: 'public' })
  picture() {
    return new RestResponse(bytes, 200, { 'Content-Type': 'image/png' })
  }

  @AsRestRoute({ namespace: 'reports/v1', route: '/lost', permission: 'public' })
  lost(): RestResponse {
    throw new RestError('no_report', 'There is no such report.', { status: 404 })
  }

  private async *lines() {
    for (let line = 1; line <= 3; line += 1) yield `${line};Müller\r\n`
  }
}

const folder = emptyFolder()
let site: StartedService
before(async () => {
  site = await startService([ReportsApi])
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'client.ts'), clientSource(site.service.routes, site.rest))
})
after(async () => {
  await site.close()
  removeFolders()
})

describe('the client of routes that answer with text, bytes or a stream', () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- a module that is written by this very test
  const written = async (): Promise<any> => import(pathToFileURL(join(folder, 'client.ts')).href)
  const client = async () => (await written()).createClient({ root: site.rest })

  it('reads a body as what the caller asks for', async () => {
    const { reportsCsv, reportsPicture } = await client()
    const csv = '1;Müller\r\n2;Müller\r\n3;Müller\r\n'
    assert.equal(await reportsCsv({}, { as: 'text' }), csv)
    const blob: Blob = await reportsPicture({}, { as: 'blob' })
    assert.equal(blob.type, 'image/png')
    assert.deepEqual(new Uint8Array(await blob.arrayBuffer()), bytes)
    const response: Response = await reportsCsv({}, { as: 'response' })
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=UTF-8')
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true })
    assert.equal(text, csv)
  })

  it('rejects with the error of the service, however the body was to be read', async () => {
    const { reportsLost } = await client()
    for (const as of ['json', 'text', 'blob', 'response'])
      await assert.rejects(reportsLost({}, { as }), { name: 'RestClientError', status: 404, code: 'no_report' }, as)
  })

  it('says how to read what is not JSON', async () => {
    const { reportsCsv } = await client()
    await assert.rejects(reportsCsv(), {
      code: 'http_error',
      status: 200,
      message: `The response is not JSON (text/csv; charset=UTF-8): read it with { as: 'text' }, 'blob' or 'response'.`,
    })
  })

  it('gives the results their types', () => {
    const use = `import { createClient } from './client.js'
      const client = createClient()
      export async function use(signal: AbortSignal): Promise<void> {
        const text: string = await client.reportsCsv({}, { as: 'text', signal })
        const size: number = (await client.reportsPicture({}, { as: 'blob' })).size
        const body: ReadableStream<Uint8Array> | null = (await client.reportsCsv({}, { as: 'response' })).body
        const rows: number[] = await client.reportsCsv<number[]>()
        console.log(text, size, body, rows)
        // @ts-expect-error a text has no such method
        console.log((await client.reportsCsv({}, { as: 'text' })).arrayBuffer())
        // @ts-expect-error there is no such way to read
        await client.reportsCsv({}, { as: 'csv' })
        // @ts-expect-error the result of JSON is unknown
        console.log((await client.reportsCsv()).length)
      }`
    writeFileSync(join(folder, 'use.ts'), use)
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
    const options = '--noEmit --strict --exactOptionalPropertyTypes --target es2022 --lib es2022,dom --module nodenext'
    execFileSync(process.execPath, [tsc, ...options.split(' '), join(folder, 'use.ts')], { cwd: folder })
  })
})
