import { AsRestRoute, currentUserCan, RestResponse, route, type RequestOf, type RestRequest } from '../../src/index.js'

export interface Book {
  readonly id: number
  readonly title: string
  readonly author: number
}

const listBooks = route({
  namespace: 'library/v1',
  route: '/books',
  permission: 'public',
  args: {
    per_page: { type: 'integer', default: 2, minimum: 1, maximum: 100 },
    page: { type: 'integer', default: 1, minimum: 1 },
  },
})

const addBook = route({
  namespace: 'library/v1',
  route: '/books',
  method: 'POST',
  permission: 'canAdd',
  allow_batch: true,
  args: {
    title: { type: 'string', required: true },
    author: { type: 'integer', default: 1 },
    tags: { type: 'array', items: { type: 'string' }, default: [] },
    details: { type: 'object', properties: { pages: { type: 'integer' } } },
  },
})

const changeTitle = { title: { type: 'string', required: true } } as const

type WithId = RestRequest<{ id: string }>

/** Books with links to each other: what clients that follow links are tried on. */
export class LibraryApi {
  readonly books: Book[] = [1, 2, 3, 4, 5].map((id) => ({ id, title: `Book ${id}`, author: id === 5 ? 9 : 1 }))

  @AsRestRoute(listBooks)
  list(request: RequestOf<typeof listBooks>) {
    const { page, per_page } = request.get_params()
    const shown = this.books.slice((page - 1) * per_page, page * per_page)
    return new RestResponse(shown.map((book) => bookResponse(book, request))).paginate(request, this.books.length)
  }

  @AsRestRoute(addBook)
  add(request: RequestOf<typeof addBook>) {
    const { title, author, tags } = request.get_params()
    if (title === 'explode') throw new Error('the shelf broke')
    const book = { id: this.books.length + 1, title, author }
    this.books.push(book)
    const details = request.get_param('details')
    return bookResponse(book, request, { tags, details }, 201)
  }

  @AsRestRoute({ namespace: 'library/v1', route: '/books/(?P<id>\\d+)', permission: 'public' })
  show(request: WithId) {
    const book = this.books.find(({ id }) => id === Number(request.get_param('id')))
    return book ? bookResponse(book, request) : new RestResponse({ error: 'Book not found' }, 404)
  }

  @AsRestRoute({
    namespace: 'library/v1',
    route: '/books/(?P<id>\\d+)',
    method: 'PUT',
    permission: 'canAdd',
    args: changeTitle,
  })
  @AsRestRoute({
    namespace: 'library/v1',
    route: '/books/(?P<id>\\d+)',
    method: 'PATCH',
    permission: 'canAdd',
    args: changeTitle,
  })
  rename(request: RestRequest<{ id: string; title: string }>) {
    const index = this.books.findIndex(({ id }) => id === Number(request.get_param('id')))
    const book = this.books[index]
    if (!book) return new RestResponse({ error: 'Book not found' }, 404)
    const renamed = { ...book, title: request.get_param('title') }
    this.books[index] = renamed
    return bookResponse(renamed, request, { method: request.method })
  }

  @AsRestRoute({
    namespace: 'library/v1',
    route: '/books/(?P<id>\\d+)',
    method: 'DELETE',
    permission: 'canDelete',
    allow_batch: true,
  })
  remove(request: WithId) {
    const index = this.books.findIndex(({ id }) => id === Number(request.get_param('id')))
    if (index >= 0) this.books.splice(index, 1)
    return new RestResponse(null, 204)
  }

  /** Author 1 is somebody, author 9 breaks the handler, nobody else exists. */
  @AsRestRoute({ namespace: 'library/v1', route: '/authors/(?P<id>\\d+)', permission: 'public' })
  author(request: RestRequest) {
    const id = Number(request.get_param('id'))
    if (id === 9) throw new Error('the author broke')
    if (id !== 1) return new RestResponse({ error: 'Author not found' }, 404)
    const { context, header } = { context: request.get_param('context'), header: request.get_header('x-test') }
    return new RestResponse({ id, context, header, caller: request.user.id })
  }

  /** Body of no map, a link each. */
  @AsRestRoute({ namespace: 'library/v1', route: '/odd/(?P<kind>\\w+)', permission: 'public' })
  odd(request: RestRequest<{ kind: string }>) {
    const bodies: Record<string, unknown> = { nothing: null, list: [1, 2], text: 'text' }
    return new RestResponse(bodies[request.get_param('kind')]).addLink('up', request.root)
  }

  @AsRestRoute({ namespace: 'library/v1', route: '/closed', method: 'POST', permission: 'canAdd' })
  closed() {
    return new RestResponse({})
  }

  canAdd() {
    return currentUserCan('edit_posts')
  }

  canDelete() {
    return currentUserCan('delete_posts')
  }
}

function bookResponse(book: Book, { root }: { readonly root: string }, more: object = {}, status = 200): RestResponse {
  const authors = `${root}library/v1/authors/`
  return new RestResponse({ ...book, ...more }, status)
    .addLink('self', `${root}library/v1/books/${book.id}`)
    .addLink('https://api.w.org/author', `${authors}${book.author}`, { embeddable: true })
    .addLink('collection', `${root}library/v1/books`)
    .addLink('https://api.w.org/nobody', `${authors}5`, { embeddable: true })
    .addLink('https://api.w.org/nobody', `${authors}6`)
    .addLink('siblings', `${root}library/v1/books?page=1`, { embeddable: true, title: 'Others' })
    .addLink('elsewhere', 'https://elsewhere.example/books', { embeddable: true })
}
