import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { AsRestRoute, RestError, RestResponse, type RestRequest } from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { RawConnection } from '../support/raw-socket.js'
import { until } from '../support/until.js'
import { startService } from '../support/start-service.js'
import { ways, type Send } from '../support/three-ways.js'
import { folder, noTemporaryFiles, temporary, temporaryFiles, withTemporaryFolder } from './temporary-files.js'

const declared = { namespace: 'files/v1', method: 'POST', permission: 'public' } as const
const savedArguments = {
  path: { type: 'string', required: true },
  again: { type: 'boolean', default: false },
} as const
const megabyte = 1_048_576

/** What the deferred work of a request has read. */
let deferred: Promise<string> = Promise.resolve('')

class FilesApi {
  @AsRestRoute({ ...declared, route: '/poster', body_limit: 2 * megabyte, args: { title: { type: 'string' } } })
  async poster(request: RestRequest<{ title: string | null }>) {
    const file = request.file('poster')
    if (file === null) throw new RestError('no_poster', 'Send the picture as poster.', { status: 400 })
    const { name, size, type } = file
    const { name: sent, error } = request.get_file_params()['poster'] as { name: string; error: number }
    return {
      title: request.get_param('title'),
      name,
      size,
      type,
      sent,
      error,
      hash: hashOf(await file.bytes(2 * megabyte)),
      body: request.body.length,
    }
  }

  @AsRestRoute({ ...declared, route: '/pages', max_files: 3 })
  async pages(request: RestRequest) {
    return Promise.all(request.files('pages').map(async (file) => `${file.name}: ${await file.text()}`))
  }

  @AsRestRoute({ ...declared, route: '/saved', body_limit: 2 * megabyte, args: savedArguments })
  async saved(request: RestRequest<{ path: string; again: boolean }>) {
    const file = request.file('file')
    if (file === null) return null
    const overwrite = request.get_param('again')
    return file.save(request.get_param('path'), { folder: join(folder, 'saved'), overwrite })
  }

  @AsRestRoute({ ...declared, route: '/text' })
  async text(request: RestRequest) {
    return { text: await request.file('file')?.text(1_000) }
  }

  @AsRestRoute({ ...declared, route: '/fails', body_limit: 2 * megabyte })
  fails(request: RestRequest): RestResponse {
    throw new Error(`The handler of ${request.file('file')?.name} fails.`)
  }

  @AsRestRoute({ ...declared, route: '/later', body_limit: 2 * megabyte })
  later(request: RestRequest) {
    const file = request.file('file')
    deferred = new Promise((resolve, reject) => {
      request.defer(async () => {
        await new Promise((done) => setTimeout(done, 100))
        await Promise.resolve(file?.bytes(2 * megabyte)).then((bytes) => resolve(hashOf(bytes ?? '')), reject)
      })
    })
    return { later: true }
  }

  @AsRestRoute({ ...declared, route: '/echo', body_limit: 2 * megabyte })
  echo(request: RestRequest) {
    return new RestResponse(request.file('file')?.stream() ?? null, 200, { 'Content-Type': 'application/x-echo' })
  }

  @AsRestRoute({ ...declared, route: '/slow', body_limit: 2 * megabyte, timeout: 0.1 })
  async slow(request: RestRequest) {
    const file = request.file('file')
    deferred = new Promise((resolve) => setTimeout(resolve, 300)).then(async () =>
      hashOf((await file?.bytes(2 * megabyte)) ?? ''),
    )
    return deferred
  }

  @AsRestRoute({ ...declared, route: '/many', max_files: 50 })
  many(request: RestRequest) {
    return request.files('pages').length
  }

  @AsRestRoute({ ...declared, route: '/beginning', body_limit: 2 * megabyte })
  async beginning(request: RestRequest) {
    const reader = request.file('file')?.stream().getReader()
    // Leaves one stream in the middle, and ends another one while its file is being opened.
    const chunk = await reader?.read()
    const other = request.file('file')?.stream().getReader()
    void other?.read()
    await other?.cancel()
    return chunk?.value?.length ?? 0
  }

  @AsRestRoute({ ...declared, route: '/once', body_limit: 2 * megabyte, idempotency_key: 'required' })
  once(request: RestRequest) {
    return { at: performance.now(), size: request.file('file')?.size }
  }
}

const hashOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const part = (disposition: string, content: string, headers = ''): string =>
  `--X\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n${content}\r\n`
const fileOf = (content: string, name = 'a.txt', field = 'file'): string =>
  part(`name="${field}"; filename="${name}"`, content)
const end = '--X--\r\n'
const contentType = 'multipart/form-data; boundary=X'

async function post(send: Send, path: string, body: string, headers: Record<string, string> = {}) {
  const response = await send(`/files/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': contentType, ...headers },
    body,
  })
  const text = await response.text()
  // oxlint-disable-next-line no-explicit-any
  const json = text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as any) : null
  return { status: response.status, json, text, headers: response.headers }
}

for (const { name, open } of ways) {
  test(`a file of a form is read with its name, size and type (${name})`, (t) =>
    withTemporaryFolder(async () => {
      const { send } = await open(t, [FilesApi])
      // The second one is larger than what is kept in memory.
      for (const content of ['12', 'x'.repeat(1_500_000)]) {
        const type = 'Content-Type: image/png; q=1\r\n'
        const form =
          part('name="title"', 'Jazz') + part('name="poster"; filename="C:\\\\x\\\\Ä b.php.png"', content, type)
        const { status, json } = await post(send, 'poster', form + end)
        assert.deepEqual(
          [status, json],
          [
            200,
            {
              title: 'Jazz',
              name: 'A-b.php_.png',
              size: content.length,
              type: 'image/png',
              sent: 'Ä b.php.png',
              error: 0,
              hash: hashOf(content),
              body: 0,
            },
          ],
        )
      }
      const without = [part('name="title"', 'Jazz'), part('name="poster"; filename=""', '')]
      for (const form of without) assert.equal((await post(send, 'poster', form + end)).json.code, 'no_poster')
      const nameless = await post(send, 'poster', part('name="poster"; filename="???"', '1') + end)
      assert.equal(nameless.json.name, 'unnamed-file')
      await noTemporaryFiles()
    }))

  test(`a field may have several files, up to the declared number (${name})`, async (t) => {
    const { send } = await open(t, [FilesApi])
    const files = (count: number): string =>
      Array.from({ length: count }, (_, index) => fileOf(String(index), `${index}.txt`, 'pages[]')).join('') + end
    assert.deepEqual((await post(send, 'pages', files(3))).json, ['0.txt: 0', '1.txt: 1', '2.txt: 2'])
    const named = fileOf('1', 'a.txt', 'pages[a]') + fileOf('2', 'b.txt', 'pages[b]')
    assert.deepEqual((await post(send, 'pages', named + end)).json, ['a.txt: 1', 'b.txt: 2'])
    const twice = await post(send, 'pages', fileOf('1', 'a.txt', 'pages') + fileOf('2', 'b.txt', 'pages') + end)
    assert.deepEqual(twice.json, ['b.txt: 2'])
    for (const [count, limit, path] of [
      [4, 3, 'pages'],
      [21, 20, 'text'],
      [10_000, 20, 'text'],
    ] as const) {
      const { status, json } = await post(send, path, files(count))
      assert.deepEqual([status, json.code], [400, 'rest_too_many_files'], String(count))
      assert.equal(json.message, `Too many files: at most ${limit} are accepted in one body.`)
    }
  })

  test(`a file is stored below its folder only (${name})`, (t) =>
    withTemporaryFolder(async () => {
      const { send } = await open(t, [FilesApi])
      const saved = (path: string, content: string, more = ''): ReturnType<typeof post> =>
        post(send, 'saved', part('name="path"', path) + fileOf(content) + more + end)
      for (const content of ['small', 'x'.repeat(1_000_000)]) {
        await rm(join(folder, 'saved'), { recursive: true, force: true })
        const first = await saved('2026/posters/jazz.png', content)
        const response = { path: '2026/posters/jazz.png', size: content.length, type: 'image/png', url: null }
        assert.deepEqual([first.status, first.json], [200, response])
        const path = join(folder, 'saved/2026/posters/jazz.png')
        assert.equal(await readFile(path, 'latin1'), content)
        const second = await saved('2026/posters/jazz.png', 'other')
        assert.deepEqual([second.status, second.json.code], [409, 'rest_upload_exists'])
        assert.equal(await readFile(path, 'latin1'), content)
        const replaced = await saved('2026/posters/jazz.png', `${content}!`, part('name="again"', '1'))
        assert.equal(replaced.status, 200)
        assert.equal(await readFile(path, 'latin1'), `${content}!`)
        await symlink(folder, join(folder, 'saved/out'))
        await symlink(join(folder, 'nowhere'), join(folder, 'saved/link'))
        for (const wrong of [
          '../a',
          'a/../../a',
          '/etc/a',
          'a//b',
          '',
          '.',
          '..',
          '.hidden',
          'a/.b/c',
          'a\\b',
          'C:a',
          'a\0b',
          'a\nb',
          'out/a',
          'out/b/c',
          '2026/posters',
          '2026/posters/jazz.png/a',
          'a'.repeat(300),
        ]) {
          const refused = await saved(wrong, content, part('name="again"', '1'))
          assert.deepEqual(
            [refused.status, refused.json.code],
            [400, 'rest_upload_path_invalid'],
            JSON.stringify(wrong),
          )
        }
        assert.equal((await saved('link', content)).json.code, 'rest_upload_exists')
      }
      assert.deepEqual(
        (await readdir(folder)).filter((entry) => /^[abc]$/.test(entry)),
        [],
      )
      assert.deepEqual((await readdir(join(folder, 'saved'))).sort(), ['2026', 'link', 'out'].sort())
      assert.deepEqual(await readdir(join(folder, 'saved/2026/posters')), ['jazz.png'])
      await noTemporaryFiles()
    }))

  test(`a broken form is an error, or has what arrived (${name})`, async (t) => {
    const { send } = await open(t, [FilesApi])
    const cutOff = '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n12'
    const incomplete = await post(send, 'text', cutOff)
    assert.deepEqual([incomplete.status, incomplete.json.code], [400, 'rest_upload_incomplete'])
    const longHead = await post(send, 'text', part('name="file"; filename="a"', '1', `x: ${'y'.repeat(9_000)}\r\n`))
    assert.deepEqual([longHead.status, longHead.json.code], [400, 'rest_invalid_multipart'])
    const many = await post(send, 'text', part('name="a"', '1').repeat(10_000))
    assert.deepEqual([many.status, many.json.code], [400, 'rest_too_many_params'])
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=other']) {
      const none = await post(send, 'text', fileOf('1') + end, { 'Content-Type': type })
      assert.deepEqual([none.status, none.json], [200, {}])
    }
    const long = await post(send, 'text', fileOf('x'.repeat(1_001)) + end)
    assert.deepEqual([long.status, long.json.code], [413, 'rest_upload_too_large'])
    assert.equal(long.json.message, "The file 'a.txt' is larger than the 1,000 bytes that are accepted.")
    assert.deepEqual((await post(send, 'text', fileOf('\xef\xbb\xbfä') + end)).json.text.endsWith('ä'), true)
  })

  test(`temporary files are there as long as the request, and not longer (${name})`, (t) =>
    withTemporaryFolder(async () => {
      const { send, site } = await open(t, [FilesApi])
      const content = 'y'.repeat(1_000_000)
      const form = fileOf(content) + end
      assert.equal((await post(send, 'fails', form)).status, 500)
      await noTemporaryFiles()
      assert.equal((await post(send, 'unknown', form)).status, 404)
      assert.equal((await post(send, '../../readyz', form)).status, 404)
      await noTemporaryFiles()
      assert.equal((await post(send, 'echo', form)).text, content)
      await noTemporaryFiles()
      assert.equal((await post(send, 'later', form)).status, 200)
      assert.equal(await deferred, hashOf(content))
      await noTemporaryFiles()
      assert.equal((await post(send, 'slow', form)).status, 503)
      assert.equal(await deferred, hashOf(content))
      await noTemporaryFiles()
      assert.equal((await post(send, 'poster', fileOf('z'.repeat(3_000_000)) + end)).status, 413)
      await noTemporaryFiles()
      assert.deepEqual(
        site.log.filter(({ fields }) => fields['code'] === 'upload-not-written'),
        [],
      )
    }))

  test(`a repeated form has the same key for every way of a request (${name})`, async (t) => {
    const { send } = await open(t, [FilesApi])
    for (const size of [10, 1_000_000]) {
      const headers = { 'Idempotency-Key': `key-${size}` }
      const first = await post(send, 'once', fileOf('x'.repeat(size)) + end, headers)
      assert.deepEqual([first.status, first.json.size], [200, size])
      assert.deepEqual((await post(send, 'once', fileOf('x'.repeat(size)) + end, headers)).json, first.json)
      // A client that encodes the form again chooses another boundary.
      const withBoundary = (text: string) => text.replaceAll('--X', '--other')
      const other = { ...headers, 'Content-Type': 'multipart/form-data; boundary=other' }
      const again = await post(send, 'once', withBoundary(fileOf('x'.repeat(size)) + end), other)
      assert.deepEqual([again.status, again.json], [200, first.json])
      for (const another of [
        fileOf('y'.repeat(size)),
        fileOf('x'.repeat(size - 1)),
        fileOf('x'.repeat(size), 'b.txt'),
        fileOf('x'.repeat(size), 'a.txt', 'files'),
        part('name="file"; filename="a.txt"', 'x'.repeat(size), 'Content-Type: image/png\r\n'),
        part('name="file"', 'x'.repeat(size)),
        fileOf('x'.repeat(size)) + part('name="title"', ''),
      ])
        assert.equal((await post(send, 'once', withBoundary(another + end), other)).status, 422)
    }
  })

  test(`the limits are those of the route that a form names (${name})`, async (t) => {
    const { send } = await open(t, [FilesApi])
    const naming = (route: string) =>
      `--X\r\nContent-Disposition: form-data; name="rest_route"\r\n\r\n/files/v1/${route}\r\n`
    const large = fileOf('x'.repeat(1_500_000))
    // The route of the address takes two megabytes, and the one of the form the usual one.
    assert.equal((await post(send, 'echo', naming('pages') + large + end)).status, 413)
    assert.equal((await post(send, 'echo', large + end)).status, 200)
    const files = (count: number) =>
      Array.from({ length: count }, (_, index) => fileOf(String(index), `${index}.txt`, 'pages[]')).join('') + end
    assert.equal((await post(send, 'pages', naming('many') + files(30))).text, '30')
    assert.equal((await post(send, 'many', naming('pages') + files(4))).status, 400)
    assert.equal((await post(send, 'many', files(51))).status, 400)
  })

  test(`a form whose files cannot be stored is answered with 503 (${name})`, (t) =>
    withTemporaryFolder(async () => {
      const { send, site } = await open(t, [FilesApi])
      process.env['TMPDIR'] = join(folder, 'missing')
      const form = fileOf('x'.repeat(1_000_000)) + end
      const refused = await post(send, 'echo', form)
      assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '60'])
      assert.ok(site.log.some(({ fields }) => fields['code'] === 'upload-not-written'))
      assert.equal((await post(send, 'echo', fileOf('1') + end)).text, '1')
      process.env['TMPDIR'] = temporary
      assert.equal((await post(send, 'echo', form)).status, 200)
    }))
}

test(
  'a handler that leaves a stream in the middle leaves no open file',
  { skip: process.platform !== 'linux' && 'open files are listed on Linux only' },
  (t) =>
    withTemporaryFolder(async () => {
      const site = await startService([FilesApi])
      t.after(() => site.close())
      const form = new FormData()
      form.set('file', new Blob(['x'.repeat(500_000)]))
      const response = await fetch(`${site.url}/wp-json/files/v1/beginning`, { method: 'POST', body: form })
      assert.equal(await response.json(), 65_536)
      await noTemporaryFiles()
      const descriptors = await readdir('/proc/self/fd')
      const paths = await Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
      assert.deepEqual(
        paths.filter((path) => path.startsWith(temporary)),
        [],
      )
    }),
)

test('a client that leaves in the middle of its files leaves no temporary file', (t) =>
  withTemporaryFolder(async () => {
    const site = await startService([FilesApi])
    t.after(() => site.close())
    const client = new RawConnection(site.port)
    client.send(
      `POST /wp-json/files/v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: ${contentType}\r\nContent-Length: 1500000\r\n\r\n` +
        fileOf('x'.repeat(500_000)).slice(0, -2),
    )
    await until(async () => (await temporaryFiles()).length > 0)
    client.socket.destroy()
    await noTemporaryFiles()

    // A stop ends what is still on its way, and removes its files.
    const other = new RawConnection(site.port)
    other.send(
      `POST /wp-json/files/v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: ${contentType}\r\nContent-Length: 1500000\r\n\r\n` +
        fileOf('x'.repeat(500_000)).slice(0, -2),
    )
    await until(async () => (await temporaryFiles()).length > 0)
    await site.close()
    assert.deepEqual(await readdir(temporary), [])
  }))

test('the testing kit sends forms with files', async (t) => {
  const service = await startTestService([FilesApi])
  t.after(() => service.close())
  const form = new FormData()
  form.append('title', 'Jazz')
  form.append('poster', new File(['1234'], 'Jazz im Keller.png', { type: 'image/png' }))
  const { status, body } = await service.as('editor').post('/files/v1/poster', form)
  assert.deepEqual([status, body.name, body.size, body.type], [200, 'Jazz-im-Keller.png', 4, 'image/png'])
})
