import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import {
  AsRestRoute,
  boot,
  currentUserCan,
  inject,
  RecordStore,
  RestResponse,
  StartupError,
  type RestRequest,
} from '../../src/index.js'
import { storedRoles } from '../../src/auth/roles.js'
import { emptyFolder, removeFolders, runHere } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'
import { openTestStorage, sharedDatabase } from '../support/test-database.js'

class LibraryApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'library/v1', route: '/books', method: 'POST', permission: 'mayAdd' })
  async add() {
    const { id } = await this.records.insert({ type: 'book', title: 'Momo', status: 'publish' })
    return new RestResponse({ id }, 201)
  }

  @AsRestRoute({ namespace: 'library/v1', route: '/books/(?P<id>\\d+)', method: 'DELETE', permission: 'mayRemove' })
  async remove(request: RestRequest<{ id: string }>) {
    await this.records.delete(Number(request.get_param('id')))
    return new RestResponse(null, 204)
  }

  mayAdd() {
    return currentUserCan('publish_books')
  }

  mayRemove(request: RestRequest<{ id: string }>) {
    return currentUserCan('delete_post', request.get_param('id'))
  }
}

const ofBooks = ['edit_books', 'edit_published_books', 'publish_books', 'delete_books', 'delete_published_books']

describe('roles that an application declares', () => {
  let site: StartedService
  before(async () => {
    site = await startService([LibraryApi], {
      environment: 'local',
      record_types: { book: { capability_type: 'book', map_meta_cap: true } },
      roles: {
        librarian: { label: 'Librarian', capabilities: ['read', ...ofBooks] },
        administrator: { capabilities: [...ofBooks, 'delete_others_books'] },
      },
    })
  })
  after(() => site.close())

  /** What somebody with a role may send. */
  async function as(role: string): Promise<(method: string, path: string) => Promise<Response>> {
    const login = `a-${role}`
    const { id } = await site.service.users.create({ login, email: `${login}@x.example`, password: 'secret', role })
    const { password } = await site.service.applicationPasswords.create(id, { name: 'test' })
    const headers = { authorization: `Basic ${btoa(`${login}:${password}`)}` }
    return (method, path) => fetch(`${site.rest}library/v1${path}`, { method, headers })
  }

  it('give their capabilities to their users only, also to stored roles', async () => {
    const [librarian, administrator, editor] = [await as('librarian'), await as('administrator'), await as('editor')]
    const added = await librarian('POST', '/books')
    assert.equal(added.status, 201)
    const { id } = (await added.json()) as { id: number }
    assert.equal((await editor('POST', '/books')).status, 403)
    assert.equal((await editor('DELETE', `/books/${id}`)).status, 403)
    assert.equal((await administrator('DELETE', `/books/${id}`)).status, 204)
  })
})

it('take nothing back that the database says of a role: what it refuses stays refused', async () => {
  const database = await sharedDatabase(join(emptyFolder(), 'data.sqlite'))
  const site = await startService([LibraryApi], {
    database,
    environment: 'local',
    record_types: { book: {} },
    roles: { editor: { label: 'Chief', capabilities: ofBooks } },
  })
  const elsewhere = await openTestStorage(database)
  try {
    const { id } = await site.service.users.create({
      login: 'ed',
      email: 'ed@x.example',
      password: 'x',
      role: 'editor',
    })
    const { password } = await site.service.applicationPasswords.create(id, { name: 'test' })
    const headers = { authorization: `Basic ${btoa(`ed:${password}`)}` }
    const add = async () => (await fetch(`${site.rest}library/v1/books`, { method: 'POST', headers })).status
    assert.equal(await add(), 201)
    const refusing = { label: 'Editor', capabilities: new Map([['publish_books', false]]) }
    await elsewhere.options.write('wp_user_roles', storedRoles(new Map([['editor', refusing]])))
    assert.equal(await add(), 403)
  } finally {
    await elsewhere.close()
    await site.close()
  }
})

it('roles that cannot be are refused at the start', async () => {
  const roles: unknown = {
    'Chief Librarian': { capabilities: [] },
    reader: { capabilities: 'read' },
    guest: { capabilites: ['read'], label: '' },
    nobody: null,
  }
  await assert.rejects(boot([LibraryApi], { roles: roles as Record<string, never> }), (error: Error) => {
    assert.ok(error instanceof StartupError)
    for (const sentence of [
      'roles.Chief Librarian: it must be named with 1 to 60 characters of a-z, 0-9, _ and -.',
      'roles.reader: it must have capabilities, a list of names such as edit_books.',
      'roles.guest: it must have a text as its label.',
      'roles.guest: it must have capabilities, a list of names such as edit_books.',
      'roles.guest: it takes label and capabilities, not capabilites.',
      "roles.nobody: it must be an object such as { capabilities: ['read'] }.",
    ])
      assert.ok(error.message.includes(sentence), `${sentence} in ${error.message}`)
    return true
  })
})

describe('roles that a configuration declares, on the command line', () => {
  const app = emptyFolder()
  const faultyApp = emptyFolder()
  let database: string
  before(async () => {
    database = await sharedDatabase(join(app, 'data.sqlite'))
    const roles = { librarian: { label: 'Librarian', capabilities: ['read', 'edit_books'] } }
    const all = { ...roles, administrator: { capabilities: ['edit_books'] } }
    const files = [
      [app, all],
      [faultyApp, { librarian: { capabilities: 'edit_books' } }],
    ] as const
    for (const [folder, declared] of files) {
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      writeFileSync(join(folder, 'as-rest-route.config.ts'), `export default ${JSON.stringify({ roles: declared })}`)
      writeFileSync(
        join(folder, 'books.ts'),
        `import { AsRestRoute, currentUserCan, RestResponse } from 'as-rest-route'
        export class BooksApi {
          @AsRestRoute({ namespace: 'library/v1', route: '/books', method: 'POST', permission: 'mayAdd' })
          add() { return new RestResponse(null, 204) }
          mayAdd() { return currentUserCan('edit_books') }
        }`,
      )
    }
    const service = await boot(app, { database })
    for (const role of ['librarian', 'editor'])
      await service.users.create({ login: `a-${role}`, email: `${role}@x.example`, password: 'secret', role })
    await service.close()
  })
  after(removeFolders)

  async function done<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await runHere([...args, '--json', '--database', database])
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as T
  }

  for (const [as, may] of [
    ['librarian', true],
    ['administrator', true],
    ['editor', false],
    ['a-librarian', true],
    ['a-editor', false],
  ] as const) {
    it(`routes --as ${as}`, async () => {
      const [route] = await done<{ allowed: boolean }[]>('routes', app, '--as', as)
      assert.equal(route?.allowed, may)
    })

    it(`explain --user ${as}`, async () => {
      const address = '/wp-json/library/v1/books'
      const { status } = await done<{ status: number | null }>('explain', 'POST', address, app, '--user', as)
      assert.equal(status, may ? null : 403)
    })
  }

  it('routes --as nobody lists them', async () => {
    const { code, stderr } = await runHere(['routes', app, '--as', 'nobody', '--database', database])
    assert.equal(code, 1)
    assert.match(stderr, /^'nobody' is neither a role \(administrator, .*, librarian\), nor a user/)
  })

  it('user list --role', async () => {
    const users = await done<{ login: string }[]>('user', 'list', '--app', app, '--role', 'librarian')
    assert.deepEqual(
      users.map(({ login }) => login),
      ['a-librarian'],
    )
  })

  for (const args of [
    ['user', 'list', '--app', faultyApp],
    ['check', faultyApp],
  ])
    it(`faulty ones are reported with their file by ${args[0]}`, async () => {
      const { code, stdout, stderr } = await runHere(args)
      assert.equal(code, 1)
      assert.match(
        stdout + stderr,
        /as-rest-route\.config\.ts:1 +option roles\.librarian: it must have capabilities, a list/,
      )
      assert.doesNotMatch(stderr, /^\s+at /m, 'no trace')
    })

  it('faulty ones do not keep routes from telling what users may do', async () => {
    const args = ['routes', faultyApp, '--as', 'a-editor', '--database', database]
    const { code, stdout, stderr } = await runHere(args)
    assert.equal(code, 1)
    assert.match(stdout, /^no +POST +\/library\/v1\/books/m)
    assert.match(stderr, /^This application does not start: one fault\./)
  })
})
