import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chdir, cwd, env } from 'node:process'
import { test, type TestContext } from 'node:test'
import {
  AsRestRoute,
  boot,
  currentUserCan,
  RestResponse,
  type BootOptions,
  type RestRequest,
  type UploadPermission,
} from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { refusalOf } from '../start/refusal.js'
import { startService } from '../support/start-service.js'

class UploadsApi {
  @AsRestRoute({ namespace: 'files/v1', route: '/files', method: 'POST', permission: 'public' })
  async add(request: RestRequest) {
    const files = await Promise.all(request.files('files').map((file) => file.save(`2026/${file.name}`)))
    return new RestResponse(files, 201)
  }
}

async function newFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stored-uploads-test-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function formOf(...files: readonly [name: string, content: string][]): FormData {
  const form = new FormData()
  for (const [name, content] of files) form.append('files[]', new File([content], name))
  return form
}

test('stored uploads are served with ranges and entity tags, and nothing that a browser executes', async (t) => {
  const folder = await newFolder(t)
  const base_url = 'http://127.0.0.1:9'
  const site = await startService([UploadsApi], { base_url, uploads: { folder, permission: 'public' } })
  t.after(() => site.close())
  const form = formOf(
    ['Jazz im Keller.png', '0123456789'],
    ['page.html', '<script>'],
    ['a.svg', '<svg/>'],
    ['n.txt', 'n'],
  )
  const added = await fetch(`${site.rest}files/v1/files`, { method: 'POST', body: form })
  assert.deepEqual(((await added.json()) as { url: string }[])[0], {
    path: '2026/Jazz-im-Keller.png',
    size: 10,
    type: 'image/png',
    url: `${base_url}/uploads/2026/Jazz-im-Keller.png`,
  })
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${site.url}/uploads/${path}`, { headers, method, redirect: 'manual' })

  const whole = await get('2026/Jazz-im-Keller.png')
  assert.equal(await whole.text(), '0123456789')
  const tag = whole.headers.get('ETag') ?? ''
  const shown = ['Content-Type', 'X-Content-Type-Options', 'Content-Disposition', 'Cache-Control', 'Accept-Ranges']
  assert.deepEqual(
    shown.map((name) => whole.headers.get(name)),
    ['image/png', 'nosniff', null, 'public, max-age=0, must-revalidate', 'bytes'],
  )
  const range = await get('2026/Jazz-im-Keller.png', { Range: 'bytes=2-4' })
  assert.deepEqual([range.status, await range.text(), range.headers.get('Content-Range')], [206, '234', 'bytes 2-4/10'])
  assert.equal((await get('2026/Jazz-im-Keller.png', { 'If-None-Match': tag })).status, 304)
  assert.equal((await get('2026/Jazz-im-Keller.png', {}, 'HEAD')).status, 200)
  assert.equal((await get('2026/Jazz-im-Keller.png', {}, 'DELETE')).status, 405)
  assert.equal((await get('2026/n.txt')).headers.get('Content-Disposition'), null)
  for (const name of ['page.html', 'a.svg']) {
    const file = await get(`2026/${name}`)
    assert.equal(file.headers.get('Content-Disposition'), `attachment; filename="${name}"`)
    assert.equal(file.headers.get('X-Content-Type-Options'), 'nosniff')
    await file.arrayBuffer()
  }
  for (const path of [
    '',
    '2026',
    '2026/',
    'none.png',
    '.incoming/a',
    '%2e%2e/a',
    '..%2fa',
    '%2fetc/passwd',
    '%',
    '2026/%00',
  ])
    assert.equal((await get(path)).status, 404, path)
  // The parts of an upload that arrives are below the folder, so that storing it copies nothing.
  const large = await fetch(`${site.rest}files/v1/files`, {
    method: 'POST',
    body: formOf(['l.bin', 'x'.repeat(200_000)]),
  })
  assert.equal(large.status, 201)
  assert.ok((await readdir(folder)).includes('.incoming'))
})

const readers: [description: string, permission: UploadPermission | undefined, statuses: readonly number[]][] = [
  ['everybody', 'public', [200, 200, 200]],
  ['users who are logged in', null, [401, 200, 200]],
  ['users with a capability', 'edit_posts', [401, 403, 200]],
  ['users with the capability that routes need', undefined, [401, 403, 200]],
  [
    'those whom a function lets',
    ({ path, user }) => path.startsWith('2026/') && user.login === 'subscriber',
    [401, 200, 403],
  ],
  ['those whom a function lets, by their rights', () => currentUserCan('edit_posts'), [401, 403, 200]],
]
for (const [description, permission, statuses] of readers)
  test(`stored uploads may be read by ${description}`, async (t) => {
    const folder = await newFolder(t)
    const uploads = permission === undefined ? { folder } : { folder, permission }
    const service = await startTestService([UploadsApi], { uploads })
    t.after(() => service.close())
    await service.post('/files/v1/files', formOf(['a.png', '1']))
    const { service: inner } = service
    const status = async (login: string | null, path: string): Promise<number> => {
      const user = login === null ? null : (await service.users.list({})).find((each) => each.login === login)
      const headers: Record<string, string> = {}
      if (user) {
        const { password } = await service.applicationPasswords.create(user.id, { name: `read ${path}` })
        headers['Authorization'] = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
      }
      const response = await inner.fetch(new Request(`http://localhost/uploads/${path}`, { headers }))
      await response.arrayBuffer()
      if (response.status === 200 && permission !== 'public')
        assert.equal(response.headers.get('Cache-Control'), 'private, no-cache')
      return response.status
    }
    const callers = [null, 'subscriber', 'editor']
    const answered: number[] = []
    for (const login of callers) answered.push(await status(login, '2026/a.png'))
    assert.deepEqual(answered, statuses)
    // A file that does not exist tells nothing to those who may not read it.
    if (statuses[0] !== 200) assert.equal(await status(null, '2026/none.png'), 401)
    const wrong = { Authorization: `Basic ${Buffer.from('editor:wrong').toString('base64')}` }
    const refused = await inner.fetch(new Request('http://localhost/uploads/2026/a.png', { headers: wrong }))
    await refused.arrayBuffer()
    assert.equal(refused.status, permission === 'public' ? 200 : 401)
  })

test('wrong options for uploads are refused at the start', async (t) => {
  const folder = await newFolder(t)
  const options: [BootOptions, RegExp][] = [
    [{ uploads: 'data' } as unknown as BootOptions, /option uploads: it must be a map with a folder/],
    [{ uploads: { folde: 'data' } } as unknown as BootOptions, /, not an object with folde \(string\)\./],
    [{ uploads: { folder, permission: '' } }, /option uploads: it must be a map with a folder/],
    [{ uploads: { folder: new URL('https://example.com/') } }, /option uploads: it must be a map with a folder/],
    [
      { uploads: { folder }, database: `sqlite:${join(folder, 'site.sqlite')}` },
      /option uploads: the database .* lies in it/,
    ],
  ]
  for (const [each, message] of options) assert.match((await refusalOf([UploadsApi], each)).message, message)
})

test('without a folder a file is not stored', async (t) => {
  const site = await startService([UploadsApi])
  t.after(() => site.close())
  const response = await fetch(`${site.rest}files/v1/files`, { method: 'POST', body: formOf(['a.png', '1']) })
  assert.equal(response.status, 500)
  assert.match(JSON.stringify(site.log.map(({ fields }) => String(fields['err']))), /set the option 'uploads'/)
})

/** A project with handlers in `app`, whose configuration, at the path, names this folder for uploads. */
async function projectWith(context: TestContext, uploads: string, configurationFolder: string): Promise<string> {
  const project = await realpath(await newFolder(context))
  await mkdir(join(project, configurationFolder, 'app'), { recursive: true })
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await writeFile(
    join(project, configurationFolder, 'as-rest-route.config.mjs'),
    `export default { handlers: './app/', database: 'sqlite::memory:', uploads: ${uploads} }`,
  )
  const index = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)
  await writeFile(
    join(project, configurationFolder, 'app', 'files.mjs'),
    `import { endpoint } from ${index}
    const declaration = { namespace: 'files/v1', route: '/files', method: 'POST', permission: 'public' }
    export const add = endpoint(declaration, (request) => request.file('file').save(request.file('file').name, { overwrite: true }))`,
  )
  return project
}

function oneFile(content: string): FormData {
  const form = new FormData()
  form.append('file', new File([content], 'a.png'))
  return form
}

test('a relative folder of uploads is below the working folder, as the database is, and not below a build', async (t) => {
  const project = await projectWith(t, "{ folder: './data/uploads', permission: 'public' }", 'dist')
  const before = cwd()
  chdir(project)
  t.after(() => chdir(before))
  const service = await boot(join(project, 'dist'), { base_url: 'http://localhost' })
  t.after(() => service.close())
  const request = new Request('http://localhost/wp-json/files/v1/files', { method: 'POST', body: oneFile('kept') })
  assert.equal((await service.fetch(request)).status, 200)
  await rm(join(project, 'dist'), { recursive: true })
  assert.equal(await readFile(join(project, 'data', 'uploads', 'a.png'), 'utf8'), 'kept')
  assert.equal(await (await service.fetch(new Request('http://localhost/uploads/a.png'))).text(), 'kept')
})

test('a test service stores uploads in a folder of its own, which it removes, unless the test names one', async (t) => {
  const real = await newFolder(t)
  await writeFile(join(real, 'a.png'), 'a real file')
  const project = await projectWith(t, `{ folder: ${JSON.stringify(real)}, permission: 'public' }`, '.')
  const temporary = await newFolder(t)
  const { TMPDIR } = env
  env['TMPDIR'] = temporary
  t.after(() => {
    if (TMPDIR === undefined) delete env['TMPDIR']
    else env['TMPDIR'] = TMPDIR
  })

  const services = [await startTestService(project), await startTestService(project)]
  for (const [index, service] of services.entries())
    assert.equal((await service.post('/files/v1/files', oneFile(`of test ${index}`))).status, 200)
  for (const [index, service] of services.entries()) {
    const stored = await service.fetch(new Request('http://localhost/uploads/a.png'))
    assert.equal(await stored.text(), `of test ${index}`)
  }
  assert.deepEqual([await readdir(real), (await readdir(temporary)).length], [['a.png'], 2])
  for (const service of services) await service.close()
  assert.deepEqual([await readFile(join(real, 'a.png'), 'utf8'), await readdir(temporary)], ['a real file', []])
  await assert.rejects(startTestService(project, { base_url: 'not an address' }), /base_url/)
  assert.deepEqual(await readdir(temporary), [])

  const named = await newFolder(t)
  const service = await startTestService(project, { uploads: { folder: named, permission: 'public' } })
  assert.equal((await service.post('/files/v1/files', oneFile('named'))).status, 200)
  await service.close()
  assert.equal(await readFile(join(named, 'a.png'), 'utf8'), 'named')
})
