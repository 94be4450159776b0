import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { mkdir, mkdtemp, open, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { StaticFiles, maxFileSize } from '../../src/pages/static-files.js'
import { openShop } from './shop-site.js'

let shop: Awaited<ReturnType<typeof openShop>>
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-files-'))
  const files = join(folder, 'public')
  await mkdir(join(files, 'deep', '.hidden'), { recursive: true })
  await writeFile(join(folder, 'outside.txt'), 'outside')
  await mkdir(join(folder, 'public-neighbour'))
  await writeFile(join(folder, 'public-neighbour', 'x.txt'), 'neighbour')
  for (const name of [
    'a.css',
    'a b.txt',
    'Ä.txt',
    'x.svg',
    'x.html',
    'noend',
    '.env',
    'deep/a.js',
    'deep/.hidden/x.txt',
    'wp-login.php',
  ])
    await writeFile(join(files, name), `content of ${name}`)
  await writeFile(join(files, 'large.bin'), '')
  await truncate(join(files, 'large.bin'), maxFileSize + 1)
  await symlink(join(folder, 'outside.txt'), join(files, 'link.txt'))
  await symlink(folder, join(files, 'up'))
  await symlink(join(folder, 'public-neighbour'), join(files, 'neighbour'))
  await symlink(join(files, 'a.css'), join(files, 'inside.css'))
  await symlink(join(files, '.env'), join(files, 'env.txt'))
  await symlink(join(files, 'deep', '.hidden'), join(files, 'shown'))
  shop = await openShop({ public: files })
})
after(async () => {
  await shop.service.close()
  await rm(folder, { recursive: true })
})

const served: [path: string, type: string, content: string][] = [
  ['/a.css', 'text/css; charset=UTF-8', 'content of a.css'],
  ['/a%20b.txt', 'text/plain; charset=UTF-8', 'content of a b.txt'],
  ['/%C3%84.txt', 'text/plain; charset=UTF-8', 'content of Ä.txt'],
  ['/deep/a.js?ver=1', 'text/javascript; charset=UTF-8', 'content of deep/a.js'],
  ['/noend', 'application/octet-stream', 'content of noend'],
  ['/x.svg', 'image/svg+xml', 'content of x.svg'],
  ['/inside.css', 'text/css; charset=UTF-8', 'content of a.css'],
]
for (const [path, type, content] of served)
  test(`${path} is served as ${type}`, async () => {
    const { status, headers, text } = await shop.browser().get(path)
    assert.deepEqual([status, headers.get('content-type'), text], [200, type, content])
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.ok(headers.get('etag') && headers.get('last-modified'))
  })

const missing = [
  '/.env',
  '/%2eenv',
  '/deep/.hidden/x.txt',
  '/deep',
  '/deep/',
  '/a.css/',
  '/a.css/x',
  '/link.txt',
  '/env.txt',
  '/shown/x.txt',
  '/up/outside.txt',
  '/neighbour/x.txt',
  '/large.bin',
  '/..%2foutside.txt',
  '/%2e%2e/outside.txt',
  '/%2e%2e%2foutside.txt',
  '/deep%2fa.js',
  '/deep%5ca.js',
  '/..%5coutside.txt',
  '/a.css%00',
  '/a.css%00.txt',
  '/%ff.txt',
  '/nothing.css',
  `/${'a'.repeat(5000)}`,
]
for (const path of missing)
  test(`${path.slice(0, 40)} is no file`, async () => {
    assert.equal((await shop.browser().get(path)).status, 404)
  })

test('no path leads out of the folder, sent byte for byte', async () => {
  for (const path of [
    '/../outside.txt',
    '/deep/../../outside.txt',
    '/./../outside.txt',
    '//../outside.txt',
    '/deep/..',
  ])
    assert.match(await raw(path), /^HTTP\/1\.1 404 /, path)
})

test('a page of the service comes before a file of its name', async () => {
  assert.match((await shop.browser().get('/wp-login.php')).text, /user_login/)
})

test('a picture cannot run scripts', async () => {
  const { headers } = await shop.browser().get('/x.svg')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
})

test('a browser that has the file is told so', async () => {
  const browser = shop.browser()
  const { headers } = await browser.get('/a.css')
  const [etag, modified] = [headers.get('etag') ?? '', headers.get('last-modified') ?? '']
  const table: [sent: Record<string, string>, status: number][] = [
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `W/${etag}` }, 304],
    [{ 'if-none-match': `"x", ${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': modified }, 200],
    [{ 'if-modified-since': modified }, 304],
    [{ 'if-modified-since': 'Wed, 01 Jan 2020 00:00:00 GMT' }, 200],
    [{ 'if-modified-since': 'soon' }, 200],
  ]
  for (const [sent, status] of table) {
    const response = await browser.get('/a.css', sent)
    assert.equal(response.status, status, JSON.stringify(sent))
    assert.equal(response.headers.get('etag'), etag)
    assert.equal(response.text === '', status === 304)
  }
})

test('a public file answers GET and HEAD only', async () => {
  const browser = shop.browser()
  const { text, status, headers } = await browser.send('HEAD', '/a.css')
  assert.deepEqual([text, status, headers.get('content-length')], ['', 200, '16'])
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const response = await browser.send(method, '/a.css')
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD'])
  }
})

test("the service's own stylesheet may be kept for a year", async () => {
  const browser = shop.browser()
  const [, address = ''] = /<link rel="stylesheet" href="([^"]*)"/.exec((await browser.get('/wp-login.php')).text) ?? []
  const response = await browser.get(address)
  assert.equal(response.headers.get('content-type'), 'text/css; charset=UTF-8')
  assert.match(response.headers.get('cache-control') ?? '', /immutable/)
  assert.equal((await browser.get(address, { 'if-none-match': response.headers.get('etag') ?? '' })).status, 304)
})

/** `fetch` tidies paths before it sends them. */
function raw(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(shop.url)
    let response = ''
    const socket = connect(Number(port), hostname, () =>
      socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    )
    socket.setEncoding('utf8').on('data', (part: string) => (response += part))
    socket.on('end', () => resolve(response)).on('error', reject)
  })
}

test('concurrent responses with one file share one copy, until the file changes', async () => {
  const shared = await mkdtemp(join(tmpdir(), 'shared-files-'))
  await writeFile(join(shared, 'a.txt'), 'first')
  const files = new StaticFiles(shared)
  const read = async () => (await files.find('/a.txt'))?.read()
  const [one, two] = await Promise.all([read(), read()])
  assert.ok(one !== undefined && one === two && one === (await read()))
  await writeFile(join(shared, 'a.txt'), 'second')
  assert.equal(String(await read()), 'second')
  await rm(shared, { recursive: true })
  assert.equal(await read(), undefined)
})

test('a folder that is made later has files from then on', async () => {
  const late = join(folder, 'late')
  const files = new StaticFiles(late)
  assert.equal(await files.find('/a.txt'), null)
  await mkdir(late)
  await writeFile(join(late, 'a.txt'), 'a')
  assert.equal((await files.find('/a.txt'))?.type, 'text/plain; charset=UTF-8')
})

/** What comes in the place of a file after it was found. */
const swaps: [what: string, put: (path: string) => Promise<unknown>][] = [
  ['a link that leads out of the folder', (path) => symlink(join(folder, 'outside.txt'), path)],
  ['a pipe into which nobody writes', (path) => promisify(execFile)('mkfifo', [path])],
]

for (const [what, put] of swaps)
  test(`${what}, put in the place of a file, is not read`, { skip: process.platform === 'win32' }, async (context) => {
    const swapped = await mkdtemp(join(tmpdir(), 'swapped-files-'))
    const path = join(swapped, 'a.txt')
    await writeFile(path, 'inside')
    const file = await new StaticFiles(swapped).find('/a.txt')
    await rm(path)
    await put(path)
    context.after(async () => {
      // Ends the read that waits for a writer, which would otherwise never end.
      await (await open(path, constants.O_RDWR | constants.O_NONBLOCK)).close()
      await rm(swapped, { recursive: true })
    })
    const read = file?.read().then(String, (fault: NodeJS.ErrnoException) => fault.code)
    const tooLong = new Promise((resolve) => setTimeout(resolve, 30_000, 'it still waits').unref())
    assert.ok(['', 'ELOOP', 'EMLINK'].includes(String(await Promise.race([read, tooLong]))))
  })
