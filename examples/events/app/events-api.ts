import { AsRestRoute, currentUserCan, inject, RecordStore, RestResponse, restNamespace } from 'as-rest-route'
import type { RequestOf, RestRequest } from 'as-rest-route'
import { eventView, publishedEvent, versioned } from './events.js'
import { event, eventArguments } from './schemas.js'

const events = restNamespace('events/v1')

const listEvents = events.route({
  route: '/events',
  permission: 'public',
  cache: 30,
  args: {
    page: { type: 'integer', default: 1, minimum: 1 },
    per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
    from: { type: 'string' },
    until: { type: 'string' },
    max_price: { type: 'number' },
    category: { type: 'string' },
    search: { type: 'string' },
  },
  responses: { 200: { type: 'array', items: event } },
})

const createEvent = events.route({
  route: '/events',
  method: 'POST',
  permission: 'mayPublish',
  additional_args: false,
  args: {
    ...eventArguments,
    title: { ...eventArguments.title, required: true },
    starts_at: { ...eventArguments.starts_at, required: true },
    capacity: { ...eventArguments.capacity, required: true },
  },
  responses: { 201: event },
})

const showEvent = events.route({
  route: '/events/(?P<id>\\d+)',
  permission: 'public',
  around: [versioned],
  responses: { 200: event },
})

const changeEvent = events.route({
  route: '/events/(?P<id>\\d+)',
  method: 'PATCH',
  permission: 'mayEdit',
  additional_args: false,
  args: eventArguments,
  around: [versioned],
  responses: { 200: event },
})

const addPoster = events.route({
  route: '/events/(?P<id>\\d+)/poster',
  method: 'POST',
  permission: 'mayEdit',
  body_limit: 10_000_000,
  args: { poster: { type: 'file', required: true, media_types: ['image/png', 'image/jpeg', 'image/webp'] } },
  around: [versioned],
  responses: { 201: event },
})

export class EventsApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute(listEvents)
  async list(request: RequestOf<typeof listEvents>) {
    const { page, per_page, from, until, max_price, category, search } = request.get_params()
    const { records, total } = await this.records.page({
      type: 'event',
      page,
      per_page,
      category,
      search,
      orderby: { meta: 'starts_at' },
      order: 'asc',
      where: { starts_at: { from, to: until }, price: { to: max_price } },
    })
    return new RestResponse(records.map(eventView)).paginate(request, total)
  }

  @AsRestRoute(showEvent)
  show(request: RequestOf<typeof showEvent>) {
    return eventView(publishedEvent(versioned.resource(request)))
  }

  @AsRestRoute(createEvent)
  async create(request: RequestOf<typeof createEvent>) {
    const { title, content, starts_at, capacity, price } = request.get_params()
    const meta = { starts_at, capacity, price: price ?? 0 }
    const record = await this.records.insert({ type: 'event', status: 'publish', title, content: content ?? '', meta })
    return new RestResponse(eventView(record), 201, { Location: record.link })
  }

  @AsRestRoute(changeEvent)
  async change(request: RequestOf<typeof changeEvent>) {
    const { title, content, starts_at, capacity, price } = request.get_params()
    const old = publishedEvent(versioned.resource(request))
    const meta = { starts_at: starts_at ?? undefined, capacity: capacity ?? undefined, price: price ?? undefined }
    const change = { title: title ?? undefined, content: content ?? undefined, meta }
    const changed = await this.records.update<'event'>(old.id, change, { if_unchanged: old })
    return eventView(publishedEvent(changed))
  }

  @AsRestRoute(addPoster)
  async poster(request: RequestOf<typeof addPoster>) {
    const { id } = publishedEvent(versioned.resource(request))
    const poster = request.get_param('poster')
    const { url } = await poster.save(`posters/${id}/${poster.name}`, { overwrite: true })
    // Only this key: tickets may have been sold since the event was read.
    const changed = await this.records.update<'event'>(id, { meta: { poster: url ?? '' } })
    return new RestResponse(eventView(publishedEvent(changed)), 201)
  }

  mayPublish() {
    return currentUserCan('publish_posts')
  }

  mayEdit(request: RestRequest<{ id: string }>) {
    return currentUserCan('edit_post', request.pathId('id'))
  }
}
