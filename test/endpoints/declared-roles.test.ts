import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  AsRestRoute,
  boot,
  currentUserCan,
  inject,
  RecordStore,
  RestResponse,
  StartRefused,
  type RestRequest,
} from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'

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

  it('give their capabilities, to stored roles too, and to nobody else', async () => {
    const [librarian, administrator, editor] = [await as('librarian'), await as('administrator'), await as('editor')]
    const added = await librarian('POST', '/books')
    assert.equal(added.status, 201)
    const { id } = (await added.json()) as { id: number }
    assert.equal((await editor('POST', '/books')).status, 403)
    assert.equal((await editor('DELETE', `/books/${id}`)).status, 403)
    assert.equal((await administrator('DELETE', `/books/${id}`)).status, 204)
  })
})

it('roles that cannot be are refused at the start', async () => {
  const roles: unknown = {
    'Chief Librarian': { capabilities: [] },
    reader: { capabilities: 'read' },
    guest: { capabilites: ['read'], label: '' },
    nobody: null,
  }
  await assert.rejects(boot([LibraryApi], { roles: roles as Record<string, never> }), (error: Error) => {
    assert.ok(error instanceof StartRefused)
    for (const sentence of [
      'roles.Chief Librarian must be named with 1 to 60 characters of a-z, 0-9, _ and -.',
      'roles.reader must have capabilities, a list of names such as edit_books.',
      'roles.guest must have a text as its label.',
      'roles.guest must have capabilities, a list of names such as edit_books.',
      'roles.guest takes label and capabilities, not capabilites.',
      "roles.nobody must be an object such as { capabilities: ['read'] }.",
    ])
      assert.ok(error.message.includes(sentence), `${sentence} in ${error.message}`)
    return true
  })
})
