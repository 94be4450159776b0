import {
  AsRestRoute,
  inject,
  RecordStore,
  RestResponse,
  route,
  ViewEngineInterface,
  type RequestOf,
} from 'as-rest-route'
import { allShown } from './protected-records.js'

const postCards = route({
  namespace: 'shop/v1',
  route: '/partials/posts',
  permission: 'public',
  cache: 60,
  args: { page: { type: 'integer', default: 1 }, per_page: { type: 'integer', default: 6 } },
})

/** How many posts WordPress's `get_posts` reads for `posts_per_page` 0. */
const defaultNumber = 5

/** HTML inside JSON, for a "load more" button. */
export class PartialsApi {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly views = inject(ViewEngineInterface),
  ) {}

  @AsRestRoute(postCards)
  async posts(request: RequestOf<typeof postCards>) {
    const { page, per_page } = request.get_params()
    const fields = ['title', 'excerpt', 'link', 'isProtected'] as const
    const query = { type: 'post', page, per_page: per_page || defaultNumber, fields } as const
    const posts = await allShown(await this.records.list(query))
    const cards = await Promise.all(posts.map((post) => this.views.render('partials/card', { post })))
    return new RestResponse({ html: cards.join(''), hasMore: posts.length === per_page })
  }
}
