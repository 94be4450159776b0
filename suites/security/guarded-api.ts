import { currentUserCan, endpoint, RestResponse, restNamespace, type RestRequest } from 'as-rest-route'
import { attackedSanitizers } from './attacked-sanitizers.js'

const guarded = restNamespace('guarded/v1')
type WithId = RestRequest<{ id: string }>

/** Every kind of permission that a declaration can have, over records and users. */
export class GuardedApi {
  @guarded.AsRestRoute({ route: '/records/(?P<id>\\d+)', permission: 'mayRead' })
  @guarded.AsRestRoute({ route: '/records/(?P<id>\\d+)', method: 'PATCH', permission: 'mayEdit', allow_batch: true })
  @guarded.AsRestRoute({ route: '/records/(?P<id>\\d+)', method: 'DELETE', permission: 'mayDelete' })
  record(request: WithId) {
    return new RestResponse({ id: request.pathId('id'), method: request.method })
  }

  @guarded.AsRestRoute({ route: '/publications', method: 'POST', permission: 'mayPublish', allow_batch: true })
  publish() {
    return new RestResponse({ published: true })
  }

  @guarded.AsRestRoute({ route: '/users/(?P<id>\\d+)', method: 'PUT', permission: 'mayEditUser' })
  @guarded.AsRestRoute({ route: '/users/(?P<id>\\d+)', method: 'DELETE', permission: 'mayDeleteUser' })
  user(request: WithId) {
    return new RestResponse({ id: request.pathId('id') })
  }

  mayRead(request: WithId) {
    return currentUserCan('read_post', request.get_param('id'))
  }

  mayEdit(request: WithId) {
    return currentUserCan('edit_post', request.get_param('id'))
  }

  mayDelete(request: WithId) {
    return currentUserCan('delete_post', request.get_param('id'))
  }

  mayPublish() {
    return currentUserCan('publish_posts')
  }

  mayEditUser(request: WithId) {
    return currentUserCan('edit_user', request.get_param('id'))
  }

  mayDeleteUser(request: WithId) {
    return currentUserCan('delete_user', request.get_param('id'))
  }
}

/** What is sent comes back: in the body, in a header and in links. Cached, so that a wrong key would show. */
export const echoed = endpoint(
  {
    namespace: 'guarded/v1',
    route: '/echo',
    permission: 'public',
    cache: 60,
    args: { text: { type: 'string', default: '' }, page: { type: 'integer', default: 1 } },
  },
  (request) => {
    const text = request.get_param('text')
    const header = text.replaceAll(/[^\x20-\x7e]/g, '')
    return new RestResponse({ text }, 200, { 'X-Echo': header })
      .addLink('self', `${request.root}guarded/v1/echo?text=${encodeURIComponent(text.toWellFormed())}`)
      .paginate(request, 25)
  },
)

/** A header with control characters, as a careless handler makes it. */
export const carelessHeader = endpoint(
  {
    namespace: 'guarded/v1',
    route: '/careless',
    permission: 'public',
    args: { text: { type: 'string', default: '' } },
  },
  (request) => new RestResponse({ ok: true }, 200, { 'X-Echo': request.get_param('text') }),
)

/** Takes texts of any size through the rules and sanitisers whose work grows with them. */
export const costly = endpoint(
  {
    namespace: 'guarded/v1',
    route: '/costly',
    method: 'POST',
    permission: 'public',
    args: {
      pattern: { type: 'string', pattern: '^(?:[a-z]+-)*[a-z]+$', maxLength: 4_000_000 },
      unique: { type: 'array', uniqueItems: true },
      list: { type: 'array', items: { type: ['integer', 'string'] } },
      either: {
        type: ['array', 'object'],
        anyOf: [
          { type: 'array', items: { type: 'integer' } },
          { type: 'array', items: { type: 'string' } },
        ],
      },
      map: { type: 'object', additionalProperties: { type: 'string', format: 'text-field' } },
      email: { type: 'string', format: 'email' },
      date: { type: 'string', format: 'date-time' },
      ...Object.fromEntries(
        attackedSanitizers.map((name) => [name, { type: 'string' as const, sanitize_callback: name }]),
      ),
    },
  },
  (request) => ({ names: Object.keys(request.get_params()).length }),
)
