import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { AsRestRoute, fileResponse, type RestRequest } from 'as-rest-route'
import { ways } from '../support/three-ways.js'
import { until } from '../support/until.js'

const parent = mkdtempSync(join(tmpdir(), 'files-'))
const folder = join(parent, 'public')
after(() => rmSync(parent, { recursive: true }))
mkdirSync(join(folder, 'in'), { recursive: true })
const big = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
writeFileSync(join(folder, 'ten.txt'), '0123456789')
writeFileSync(join(folder, 'in', 'big.bin'), big)
writeFileSync(join(folder, 'empty.csv'), '')
writeFileSync(join(folder, 'page.html'), '<script>alert(1)</script>')
writeFileSync(join(folder, '.hidden'), 'hidden')
writeFileSync(join(parent, 'secret.txt'), 'secret')
symlinkSync(join(parent, 'secret.txt'), join(folder, 'link.txt'))
const modified = new Date('2026-01-15T12:00:00.500Z')
for (const name of ['ten.txt', 'in/big.bin']) utimesSync(join(folder, name), modified, modified)

class Files {
  @AsRestRoute({
    namespace: 'files/v1',
    route: '/show',
    permission: 'public',
    args: { name: { type: 'string', required: true } },
  })
  show(request: RestRequest<{ name: string }>) {
    return fileResponse(request, folder, request.get_param('name'))
  }

  @AsRestRoute({ namespace: 'files/v1', route: '/report', permission: 'public' })
  report(request: RestRequest) {
    return fileResponse(request, folder, 'ten.txt', { type: 'text/csv', download: 'Bericht "März" 100%.csv' })
  }
}

/** The files below the folder that this process has open. Only Linux says so. */
async function openFiles(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return []
  const descriptors = await readdir('/proc/self/fd')
  const paths = await Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(parent))
}

const noOpenFiles = (): Promise<void> => until(async () => (await openFiles()).length === 0, 'no file is open')

for (const { name: way, open } of ways)
  test(`files are sent whole, in part, or not at all when the client has them (${way})`, async (t) => {
    const { send } = await open(t, [Files])
    const get = async (name: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await send(`/files/v1/show?name=${encodeURIComponent(name)}`, { method, headers })
      return {
        response,
        header: (of: string) => response.headers.get(of),
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    }
    const whole = await get('ten.txt')
    assert.equal(whole.bytes.toString(), '0123456789')
    assert.deepEqual(['Content-Type', 'Accept-Ranges', 'Last-Modified', 'X-Content-Type-Options'].map(whole.header), [
      'text/plain; charset=UTF-8',
      'bytes',
      'Thu, 15 Jan 2026 12:00:00 GMT',
      'nosniff',
    ])
    const tag = whole.header('ETag') ?? ''
    assert.match(tag, /^"[\da-f]+-[\da-f]+"$/)
    assert.ok((await get('in/big.bin')).bytes.equals(big))
    assert.equal((await get('empty.csv')).bytes.length, 0)
    const head = await get('ten.txt', {}, 'HEAD')
    assert.deepEqual([head.response.status, head.header('ETag'), head.bytes.length], [200, tag, 0])
    assert.equal(head.header('Content-Length'), '10')
    const range = await get('ten.txt', { Range: 'bytes=0-1' }, 'HEAD')
    assert.deepEqual(
      [range.response.status, range.header('Content-Range'), range.header('Content-Length')],
      [200, null, '10'],
    )
    assert.equal((await get('in/big.bin', {}, 'HEAD')).header('Content-Length'), '200000')
    const unchanged = await get('ten.txt', { 'If-None-Match': tag }, 'HEAD')
    assert.deepEqual([unchanged.response.status, unchanged.header('Content-Length')], [304, null])
    assert.equal((await get('nothing', {}, 'HEAD')).header('Content-Length'), null)

    const middle = await get('in/big.bin', { Range: 'bytes=70000-140000' })
    assert.deepEqual([middle.response.status, middle.header('Content-Range')], [206, 'bytes 70000-140000/200000'])
    assert.ok(middle.bytes.equals(big.subarray(70_000, 140_001)))
    const behind = await get('ten.txt', { Range: 'bytes=10-' })
    assert.deepEqual([behind.response.status, behind.header('Content-Range')], [416, 'bytes */10'])
    for (const [condition, status] of [
      [tag, 206],
      ['"other"', 200],
      ['Thu, 15 Jan 2026 12:00:00 GMT', 206],
      ['Thu, 15 Jan 2026 11:00:00 GMT', 200],
    ] as const)
      assert.equal((await get('ten.txt', { Range: 'bytes=0-1', 'If-Range': condition })).response.status, status)

    for (const headers of [{ 'If-None-Match': tag }, { 'If-Modified-Since': 'Thu, 15 Jan 2026 12:00:00 GMT' }]) {
      const unchanged = await get('ten.txt', headers as Record<string, string>)
      assert.deepEqual([unchanged.response.status, unchanged.bytes.length, unchanged.header('ETag')], [304, 0, tag])
    }
    for (const headers of [{ 'If-None-Match': '"other"' }, { 'If-Modified-Since': 'Thu, 15 Jan 2026 11:00:00 GMT' }])
      assert.equal((await get('ten.txt', headers as Record<string, string>)).response.status, 200)

    for (const name of [
      'nothing',
      '',
      '.',
      'in',
      'in/',
      '.hidden',
      'link.txt',
      '../secret.txt',
      '/etc/passwd',
      'in/../ten.txt',
      'ten.txt\0',
      'a'.repeat(5000),
    ]) {
      const missing = await get(name)
      assert.equal(missing.response.status, 404, name)
      assert.equal((JSON.parse(missing.bytes.toString()) as { code: string }).code, 'rest_file_not_found')
    }
    assert.match((await get('page.html')).header('Content-Security-Policy') ?? '', /^default-src 'none'.*sandbox$/)

    const report = await send('/files/v1/report')
    assert.equal(await report.text(), '0123456789')
    assert.equal(report.headers.get('Content-Type'), 'text/csv')
    assert.equal(
      report.headers.get('Content-Disposition'),
      `attachment; filename="Bericht _M_rz_ 100_.csv"; filename*=UTF-8''Bericht%20%22M%C3%A4rz%22%20100%25.csv`,
    )
    const enveloped = await send('/files/v1/report?_envelope')
    assert.equal(((await enveloped.json()) as { status: number }).status, 406)
    await noOpenFiles()
  })

test('a file that becomes shorter while it is sent ends the response before its end', async (t) => {
  const [, nodeWay] = ways
  assert.ok(nodeWay)
  const { send, site } = await nodeWay.open(t, [Files])
  const path = join(folder, 'growing.bin')
  writeFileSync(path, Buffer.alloc(40 * 1024 * 1024))
  const response = await send('/files/v1/show?name=growing.bin')
  assert.equal(response.headers.get('Content-Length'), String(40 * 1024 * 1024))
  truncateSync(path, 1000)
  await assert.rejects(response.arrayBuffer())
  assert.match(String(site.log.at(-1)?.fields['err']), /but 41943040 were announced/)
  await noOpenFiles()
})

const skip = process.platform !== 'linux' && 'only Linux lists open files'
test('a client that leaves lets the file be closed', { skip }, async (t) => {
  const [, nodeWay] = ways
  assert.ok(nodeWay)
  const { send } = await nodeWay.open(t, [Files])
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(40 * 1024 * 1024))
  const controller = new AbortController()
  const response = await send('/files/v1/show?name=large.bin', { signal: controller.signal })
  await response.body?.getReader().read()
  assert.equal((await openFiles()).length, 1)
  controller.abort()
  await noOpenFiles()
})
