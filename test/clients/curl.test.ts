import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { LibraryApi } from '../endpoints/library-api.js'
import { openService } from '../endpoints/open-service.js'

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed'
const site = await openService([LibraryApi])
after(() => site.close())
const mia = await site.join('mia', 'editor')
const spaced = (mia.password.match(/.{4}/g) ?? []).join(' ')
const user = ['--user', `mia:${spaced}`]
const books = 'library/v1/books'

interface Printed {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** @param path below the REST prefix. */
async function curl(path: string, ...options: readonly string[]): Promise<Printed> {
  const args = ['--silent', '--include', '--max-time', '10', ...options, site.root + path]
  const { stdout } = await promisify(execFile)('curl', args)
  const [head = '', ...rest] = stdout.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 2)] as const),
  )
  return { status: Number(first.split(' ')[1]), headers, text: rest.join('\r\n\r\n') }
}

const titleOf = ({ text }: Printed) => (JSON.parse(text) as { title: string }).title

test('an application password works with its spaces', { skip }, async () => {
  const { status, text } = await curl('wp/v2/users/me', ...user)
  assert.deepEqual([status, (JSON.parse(text) as { slug: string }).slug], [200, 'mia'])
})

test('a form is read', { skip }, async () => {
  const response = await curl(
    books,
    ...user,
    '-d',
    'title=From a form',
    '-d',
    'tags[]=a',
    '--data-urlencode',
    'tags[]=b&c',
  )
  assert.equal(response.status, 201)
  const { title, tags } = JSON.parse(response.text) as { title: string; tags: string[] }
  assert.deepEqual([title, tags], ['From a form', ['a', 'b&c']])
})

test('a multipart form is read', { skip }, async () => {
  assert.equal(titleOf(await curl(books, ...user, '-F', 'title=In parts')), 'In parts')
})

test('PUT takes a form and JSON', { skip }, async () => {
  const form = await curl(`${books}/1`, ...user, '-X', 'PUT', '-d', 'title=form')
  assert.equal(titleOf(form), 'form')
  const json = await curl(
    `${books}/1`,
    ...user,
    '-X',
    'PUT',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"title":"json"}',
  )
  assert.equal(titleOf(json), 'json')
})

test('DELETE with a JSON body answers 204 and nothing', { skip }, async () => {
  const gone = await curl(
    `${books}/2`,
    ...user,
    '-X',
    'DELETE',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"force":true}',
  )
  assert.deepEqual([gone.status, gone.text], [204, ''])
  assert.equal((await curl(`${books}/2`)).status, 404)
})

test('HEAD answers the headers of GET and no body', { skip }, async () => {
  const head = await curl(books, '--head')
  const get = await curl(books)
  assert.deepEqual([head.status, head.text], [200, ''])
  for (const name of ['content-type', 'x-wp-total', 'x-wp-totalpages', 'link', 'allow'])
    assert.equal(head.headers[name], get.headers[name], name)
})

test('OPTIONS describes the route, with what the caller may do', { skip }, async () => {
  const visitor = await curl(books, '-X', 'OPTIONS')
  assert.deepEqual([visitor.status, visitor.headers['allow']], [200, 'GET'])
  const { methods, namespace } = JSON.parse(visitor.text) as { methods: string[]; namespace: string }
  assert.deepEqual([methods, namespace], [['GET', 'POST'], 'library/v1'])
  assert.equal((await curl(books, '-X', 'OPTIONS', ...user)).headers['allow'], 'GET, POST')
})

test('wrong credentials are refused, none are a visitor', { skip }, async () => {
  assert.equal((await curl(books, '--user', 'mia:wrong')).status, 401)
  assert.equal((await curl(books)).status, 200)
  assert.equal((await curl(books, '-d', 'title=x')).status, 401)
})
