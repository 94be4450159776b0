import { AsRestRoute, inject, RecordStore, RestResponse, route } from 'as-rest-route'
import { largeBytes } from './protocol.js'

const inFloods = { namespace: 'floods/v1', permission: 'public' } as const
const echo = route({ ...inFloods, route: '/echo', method: 'POST', args: { text: { type: 'string' } } })

/** The routes that the healthy client and the floods use. The list is not cached. */
export class FloodsApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ ...inFloods, route: '/list' })
  async list() {
    const records = await this.records.list({ type: 'post', per_page: 20, fields: ['title'] })
    return new RestResponse(records.map(({ id, title }) => [id, title]))
  }

  /** Cached, so that the flood costs memory and little else. */
  @AsRestRoute({ ...inFloods, route: '/large', cache: 60 })
  large() {
    return new RestResponse('x'.repeat(largeBytes))
  }

  @AsRestRoute(echo)
  echo() {
    return new RestResponse(null)
  }
}
