import {
  AsRestRoute,
  conditional,
  currentUserCan,
  inject,
  RecordStore,
  RestError,
  RestResponse,
  restNamespace,
  type RequestOf,
  type RestRequest,
} from 'as-rest-route'
import { Events, eventView, publishedEvent } from './events.js'
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

/** GET answers with an `ETag`. A change with another `ETag` in `If-Match` is refused with 412. */
const versioned = conditional((request) => inject(RecordStore).get(request.pathId('id'), { type: 'event' }))

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
  max_files: 1,
  responses: { 201: event },
})

export class EventsApi {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly events = inject(Events),
  ) {}

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

  @AsRestRoute({
    namespace: 'events/v1',
    route: '/events/(?P<id>\\d+)',
    permission: 'public',
    around: [versioned],
    responses: { 200: event },
  })
  show(request: RestRequest<{ id: string }>) {
    return eventView(publishedEvent(versioned.resource(request)))
  }

  @AsRestRoute(createEvent)
  async create(request: RequestOf<typeof createEvent>) {
    const { title, content, starts_at, capacity, price } = request.get_params()
    const record = await this.records.insert({
      type: 'event',
      status: 'publish',
      title,
      content: content ?? '',
      meta: { starts_at, capacity, price: price ?? 0 },
    })
    return new RestResponse(eventView(record), 201, { Location: record.link })
  }

  @AsRestRoute(changeEvent)
  async change(request: RequestOf<typeof changeEvent>) {
    const { title, content, starts_at, capacity, price } = request.get_params()
    const old = publishedEvent(versioned.resource(request))
    const meta = {
      starts_at: starts_at ?? old.meta.starts_at,
      capacity: capacity ?? old.meta.capacity,
      price: price ?? old.meta.price,
    }
    const change = { title: title ?? old.title, content: content ?? old.content, meta }
    const changed = await this.records.update<'event'>(old.id, change, { if_unchanged: old })
    return eventView(changed ?? old)
  }

  @AsRestRoute(addPoster)
  async poster(request: RequestOf<typeof addPoster>) {
    const { id } = await this.events.published(request)
    const poster = request.file('poster')
    if (!poster || !/\.(?:png|jpe?g|webp)$/i.test(poster.name))
      throw new RestError('no_picture', 'Send a PNG, JPEG or WebP as poster.', { status: 400 })
    const { url } = await poster.save(`posters/${id}/${poster.name}`, { overwrite: true })
    // Only this key: tickets may have been sold since the event was read.
    const changed = await this.records.update<'event'>(id, { meta: { poster: url ?? '' } })
    return new RestResponse(eventView(changed ?? (await this.events.published(request))), 201)
  }

  mayPublish() {
    return currentUserCan('publish_posts')
  }

  mayEdit(request: RestRequest<{ id: string }>) {
    return currentUserCan('edit_post', request.pathId('id'))
  }
}
