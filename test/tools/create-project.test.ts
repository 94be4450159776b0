import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../support/servers/free-ports.js'
import { eventually, until } from '../support/until.js'
import { run, serve, skip, succeed, Workshop } from './workshop.js'

const starter = fileURLToPath(new URL('../../packages/create-as-rest-route/', import.meta.url))
const create = join(starter, 'main.js')

const workshop = new Workshop()
const cwd = workshop.folder
after(() => workshop.remove())

const node = process.execPath
const project = join(cwd, 'My Api')

before(async () => {
  if (skip) return
  const [tarball, starterTarball] = [await workshop.pack(), await workshop.packStarter()]
  await workshop.install('npm', { dependencies: { 'create-as-rest-route': `file:${starterTarball}` } })
  await succeed(workshop.program('npm/node_modules/.bin/create-as-rest-route'), [project], { cwd })
  const manifest = JSON.parse(workshop.read('My Api/package.json')) as { dependencies: Record<string, string> }
  await workshop.install('My Api', { ...manifest, dependencies: { 'as-rest-route': `file:${tarball}` } })
})

function versionIn(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version
}

test('the package that makes projects has the version of the package that they use', () => {
  assert.equal(versionIn(starter), versionIn(fileURLToPath(new URL('../../', import.meta.url))))
})

test('a project is made in a new folder, named after it, with the commands that come next', async () => {
  const { output } = await succeed(node, [create, 'fresh/My Api'], { cwd })
  assert.match(output, /cd "fresh\/My Api"\n {2}npm install\n {2}npm run dev/)
  assert.deepEqual(readdirSync(join(cwd, 'fresh/My Api')).sort(), [
    '.gitignore',
    'README.md',
    'app',
    'as-rest-route.config.ts',
    'package.json',
    'test',
    'tsconfig.build.json',
    'tsconfig.json',
  ])
  const manifest = JSON.parse(workshop.read('fresh/My Api/package.json')) as Record<string, unknown>
  assert.equal(manifest['name'], 'my-api')
  assert.deepEqual(manifest['dependencies'], { 'as-rest-route': `^${versionIn(starter)}` })
  assert.match(workshop.read('fresh/My Api/README.md'), /^# My Api\n/)
})

test('an empty folder, also one under git, is good', async () => {
  mkdirSync(join(cwd, 'cloned/.git'), { recursive: true })
  await succeed(node, [create, '.'], { cwd: join(cwd, 'cloned') })
  assert.ok(existsSync(join(cwd, 'cloned/app/notes-api.ts')))
})

const refusals: readonly (readonly [args: readonly string[], code: number, sentence: RegExp])[] = [
  [['taken'], 1, /'taken' is not empty: it holds notes\.txt\. Nothing was written\. Give a new or an empty folder\./],
  [['taken/notes.txt'], 1, /'taken\/notes\.txt' is a file\. Give the name of a new folder\./],
  [[], 2, /Which folder\? For example: npm create as-rest-route@latest my-api/],
  [['one', 'two'], 2, /One folder, please; 'two' is one too many\./],
  [['--template', 'one'], 2, /Unknown option '--template'/],
]
for (const [args, code, sentence] of refusals)
  test(`create-as-rest-route ${args.join(' ')} is refused`, async () => {
    workshop.write('taken/notes.txt', 'mine')
    const result = await run(node, [create, ...args], { cwd })
    assert.equal(result.code, code)
    assert.match(result.output, sentence)
    assert.deepEqual(readdirSync(join(cwd, 'taken')), ['notes.txt'])
    assert.equal(existsSync(join(cwd, 'one')), false)
  })

test('--help and --version are answered', async () => {
  assert.match((await succeed(node, [create, '--help'])).output, /npm create as-rest-route@latest <folder>/)
  assert.equal((await succeed(node, [create, '--version'])).output, `${versionIn(starter)}\n`)
})

test('a new project passes its own checks', { skip }, async () => {
  const { output } = await succeed('npm', ['run', 'check'], { cwd: project })
  assert.match(output, /2 routes, no fault\./)
  assert.match(output, /pass 3\b/)
})

/** `npm run` cannot be told "any port", and 0 is what the system chooses from. */
const freePort = async (): Promise<string> => String((await freePorts(1))[0])

test('a new project is built, its templates and files with it, and started', { skip }, async () => {
  workshop.write('My Api/views/note.eta', '<p><%= text %></p>')
  workshop.write('My Api/public/site.css', 'p {}')
  workshop.write('My Api/dist/app/removed-api.js', 'of a handler that is gone')
  await succeed('npm', ['run', 'build'], { cwd: project })
  const env = { PORT: await freePort(), DATABASE_URL: 'sqlite:data/built.sqlite' }
  const server = await serve('npm', ['start'], { cwd: project, env })
  try {
    const notes = `${server.url}/wp-json/my-api/v1/notes`
    assert.deepEqual(await (await fetch(notes)).json(), [])
    const refused = await fetch(notes, { method: 'POST', body: new URLSearchParams({ title: 'x' }) })
    assert.equal(refused.status, 401)
    assert.equal(await (await fetch(`${server.url}/site.css`)).text(), 'p {}')
    assert.ok(existsSync(join(project, 'dist/views/note.eta')))
    assert.ok(!existsSync(join(project, 'dist/app/removed-api.js')))
  } finally {
    await server.stop()
  }
})

test('npm run dev starts anew when a handler or a template changes', { skip }, async () => {
  const env = { PORT: await freePort(), DATABASE_URL: 'sqlite:data/dev.sqlite' }
  const server = await serve('npm', ['run', 'dev'], { cwd: project, env })
  try {
    assert.equal((await fetch(`${server.url}/wp-json/my-api/v1/letters`)).status, 404)
    const handlers = workshop.read('My Api/app/notes-api.ts')
    workshop.write('My Api/app/notes-api.ts', handlers.replaceAll("route: '/notes'", "route: '/letters'"))
    await eventually(async () => assert.equal((await fetch(`${server.url}/wp-json/my-api/v1/letters`)).status, 200))
    const starts = () => server.output().split(' routes at ').length - 1
    await until(() => starts() >= 2, server.output)
    workshop.write('My Api/views/note.eta', '<b><%= text %></b>')
    await until(() => starts() >= 3, server.output)
    assert.equal(starts(), 3, server.output())
  } finally {
    await server.stop()
  }
})
