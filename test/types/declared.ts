// What a project with the compiler option `declaration` exports without a type of its own: the compiler has to find the
// name of each type in the package's entry, since nobody may import from the files behind it.
import {
  AsRestRoute,
  boot,
  currentUser,
  inject,
  RecordStore,
  RestResponse,
  route,
  Users,
  type BootOptions,
  type Configuration,
  type RequestOf,
  type RestError,
  type RestRequest,
  type Service,
  type StartupError,
  type StorageError,
  type Terms,
  type UserRejectedError,
  type ViewEngineInterface,
} from 'as-rest-route'

export const bare = route({ namespace: 'shop/v1', route: '/bare' })
export const listProducts = route({
  namespace: 'shop/v1',
  route: '/products/(?P<shop>\\w+)',
  method: 'GET',
  permission: 'public',
  args: {
    per_page: { type: 'integer', default: 10 },
    tags: { type: 'array', items: { type: 'string' } },
    box: { type: 'object', properties: { w: { type: 'number' } } },
    slugs: { sanitize_callback: 'wp_parse_slug_list' },
    html: { sanitize_callback: 'wp_kses_post' },
  },
  cache: 60,
})
export const listing = AsRestRoute({ namespace: 'shop/v1', route: '/listing', permission: 'public' })
export const listingProducts = AsRestRoute(listProducts)
export const routes = [bare, listProducts] as const

declare const request: RequestOf<typeof listProducts>
declare const plain: RestRequest
declare const service: Service
declare const options: BootOptions
declare const configuration: Configuration
declare const terms: Terms
declare const users: Users
declare const views: ViewEngineInterface
declare const records: RecordStore
declare const response: RestResponse
declare const error: RestError

export const parameters = request.get_params()
export const anyParameters = plain.get_params()
export const slugs = request.get_param('slugs')
export const box = request.get_param('box')
export const html = request.get_param('html')
export const reader = () => request.get_params()
export const files = request.get_file_params()
export const caller = plain.user

export const booted = () => boot([])
export const summaries = service.routes
export const requirements = service.routes.map(({ requirement }) => requirement)
export const places = service.routes.map(({ place }) => place)
export const passwords = service.applicationPasswords
export const makePassword = () => service.applicationPasswords.create(1, { name: 'x' })
export const listPasswords = () => service.applicationPasswords.list(1)
export const close = service.close.bind(service)
export const closing = (...args: Parameters<typeof service.close>) => service.close(...args)
export const listen = service.listen.bind(service)
export const fetching = service.fetch.bind(service)
export const sendFrom = (...args: Parameters<typeof service.fetch>) => service.fetch(...args)
export const log = service.log

export const { provide, record_types, roles, sanitizers, site, seed, handlers } = { ...configuration, ...options }
export const bookType = configuration.record_types?.['book']
export const bookMeta = bookType?.meta?.['pages']
export const role = configuration.roles?.['librarian']

export const links = response.links
export const paginate = response.paginate.bind(response)
export const pagedBy = (...args: Parameters<typeof response.paginate>) => response.paginate(...args)
export const shown = new RestResponse({ parameters })
export const additionalErrors = error.additional_errors

export const userFault = ({ code }: UserRejectedError) => code
export const storageFault = ({ fault }: StorageError) => fault
export const startFaults = ({ code, diagnostics }: StartupError) => [code, diagnostics.map((each) => each.code)]
export const userOfRequest = () => currentUser()
export const name = request.get_header('x')
export const price = request.get_param('per_page')

export const store = { insert: records.insert.bind(records), list: () => records.list({ fields: ['title'] }) }
export const get = (id: number) => records.get(id, { fields: ['meta'] })
export const orderby = (query: Parameters<typeof records.list>[0]) => query.orderby
export const allTerms = () => terms.list()
export const makeTerm = terms.create.bind(terms)
export const allUsers = users.list.bind(users)
export const makeUser = users.create.bind(users)
export const render = views.render.bind(views)
export class ProductsApi {
  constructor(
    readonly records = inject(RecordStore),
    readonly users = inject(Users),
  ) {}
  readonly declaration = listProducts
  list(request: RequestOf<typeof listProducts>) {
    return request.get_params()
  }
}
