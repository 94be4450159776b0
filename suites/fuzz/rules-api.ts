import {
  currentUserCan,
  endpoint,
  RestError,
  RestResponse,
  restNamespace,
  type AnyParameters,
  type ArgumentRules,
  type RestRequest,
} from 'as-rest-route'

/** One argument of every kind that the rules can express, by the name of its route. */
const argumentRules: Readonly<Record<string, ArgumentRules>> = {
  any: {},
  integer: { type: 'integer', minimum: -5, maximum: 500, multipleOf: 5 },
  exclusive: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true },
  number: { type: 'number', minimum: -1.5, multipleOf: 0.25 },
  boolean: { type: 'boolean', default: false },
  string: { type: 'string', minLength: 2, maxLength: 12 },
  pattern: { type: 'string', pattern: '^[a-z]+(?:-[a-z0-9]+)*$', maxLength: 100 },
  unicode: { type: 'string', pattern: '^\\p{Lu}.{0,5}$' },
  enum: { type: 'string', enum: ['one', 'two', '3', ''], default: 'one' },
  enum_integer: { type: 'integer', enum: [1, 2, 3] },
  nothing: { type: 'null' },
  date: { type: 'string', format: 'date-time' },
  email: { type: 'string', format: 'email' },
  ip: { type: 'string', format: 'ip' },
  uuid: { type: 'string', format: 'uuid' },
  color: { type: 'string', format: 'hex-color' },
  uri: { type: 'string', format: 'uri' },
  text_field: { type: 'string', format: 'text-field' },
  textarea_field: { type: 'string', format: 'textarea-field' },
  several: { type: ['integer', 'boolean', 'null', 'string'] },
  list: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 1, maxItems: 5, uniqueItems: true },
  lists: { type: 'array', items: { type: 'array', items: { type: 'string', format: 'uri' } }, uniqueItems: true },
  map: {
    type: 'object',
    properties: {
      width: { type: 'number', required: true, minimum: 0 },
      height: { type: 'number' },
      unit: { type: 'string', enum: ['cm', 'in'], default: 'cm' },
    },
    additionalProperties: false,
    minProperties: 1,
  },
  named: {
    type: 'object',
    patternProperties: { '^data-[a-z]+$': { type: 'string', maxLength: 20 }, '\\d$': { type: 'integer' } },
    additionalProperties: { type: 'array', items: { type: 'boolean' } },
    maxProperties: 6,
  },
  tree: {
    type: 'object',
    properties: {
      name: { type: 'string', format: 'text-field' },
      children: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, leaf: {} } } },
    },
    required: ['name'],
  },
  any_of: {
    type: ['integer', 'string', 'object'],
    anyOf: [
      { title: 'Number', type: 'integer', minimum: 10 },
      { title: 'Colour', type: 'string', format: 'hex-color' },
      { title: 'Point', type: 'object', properties: { x: { type: 'number', required: true } } },
    ],
  },
  one_of: {
    type: ['array', 'boolean'],
    oneOf: [
      { type: 'array', items: { type: 'string' }, maxItems: 3 },
      { type: 'array', items: { type: 'integer' } },
      { type: 'boolean' },
    ],
  },
  checked: {
    type: 'string',
    required: true,
    validate_callback: (value) =>
      value === 'refused' ? new RestError('refused', 'No.', { status: 400 }) : value !== '',
  },
  rewritten: { type: 'string', sanitize_callback: (value) => ({ length: String(value).length, text: value }) },
}

const sanitizerNames = [
  'absint boolval esc_attr esc_html esc_url esc_url_raw floatval intval is_email rest_is_ip_address rest_parse_date',
  'rest_parse_hex_color rest_parse_request_arg rest_sanitize_boolean rest_sanitize_request_arg sanitize_email',
  'sanitize_file_name sanitize_hex_color sanitize_html_class sanitize_key sanitize_mime_type sanitize_text_field',
  'sanitize_textarea_field sanitize_title sanitize_url sanitize_user strtolower strval trim wp_is_uuid wp_kses_data',
  'wp_kses_post wp_parse_id_list wp_parse_list wp_parse_slug_list wp_strip_all_tags',
].flatMap((names) => names.split(' '))

/** Shows what arrived. */
function echo(request: RestRequest<AnyParameters>) {
  return new RestResponse({
    method: request.method,
    route: request.route,
    params: encodable(request.get_params(), 400),
    files: Object.keys(request.get_file_params()),
    header: request.get_header('x-fuzz'),
  })
}

/**
 * A copy that has a JSON form. `1e400` is an infinite number, as in PHP, and a response has at most 512 levels; a handler
 * that sends more than it can is a 500.
 */
function encodable(value: unknown, levels: number): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return 'deep'
  if (Array.isArray(value)) return value.map((item) => encodable(item, levels - 1))
  const copy = Object.create(null) as Record<string, unknown>
  for (const [name, member] of Object.entries(value)) copy[name] = encodable(member, levels - 1)
  return copy
}

const rules = restNamespace('rules/v1')

/** Each argument by GET and by POST. Half of the POST routes may be part of a batch. */
export const ruleEndpoints = Object.entries(argumentRules).flatMap(([name, argument], index) => {
  const args = { [name]: argument, page: { type: 'integer', default: 1 } } as const
  return [
    endpoint({ namespace: 'rules/v1', route: `/${name}`, permission: 'public', args }, echo),
    endpoint(
      {
        namespace: 'rules/v1',
        route: `/${name}`,
        method: 'POST',
        permission: 'public',
        args,
        allow_batch: index % 2 === 0,
      },
      echo,
    ),
  ]
})

/** One route with every named sanitiser, with and without a type. */
export const sanitizerEndpoints = (['GET', 'PUT'] as const).map((method) =>
  endpoint(
    {
      namespace: 'rules/v1',
      route: '/sanitizers',
      method,
      permission: 'public',
      args: Object.fromEntries(
        sanitizerNames.map((name, index) => [
          name,
          { sanitize_callback: name, ...(index % 3 === 0 && { type: 'string' as const }) },
        ]),
      ),
    },
    echo,
  ),
)

/** Routes whose path, permission, cache and links take part. */
export class RulesApi {
  @rules.AsRestRoute({
    route: '/archive/(?P<year>\\d{4})(?:/(?P<month>\\d\\d))?',
    permission: 'public',
    args: { year: { type: 'integer', minimum: 1970 } },
  })
  archive(request: RestRequest<{ year: number; month: string | null }>) {
    return new RestResponse({ year: request.get_param('year'), month: request.get_param('month') })
  }

  @rules.AsRestRoute({ route: '/words/(?P<word>[^/]+)', permission: 'public', cache: 5 })
  word(request: RestRequest<{ word: string }>) {
    return new RestResponse({ word: request.get_param('word') })
  }

  @rules.AsRestRoute({
    route: '/linked',
    permission: 'public',
    args: { to: { type: 'string', default: 'a' } },
  })
  linked(request: RestRequest<{ to: string }>) {
    const to = encodeURIComponent(request.get_param('to').toWellFormed())
    return new RestResponse({ to: request.get_param('to') })
      .addLink('self', `${request.root}rules/v1/linked`)
      .addLink('word', `${request.root}rules/v1/words/${to}`, { embeddable: true })
      .addLink('missing', `${request.root}rules/v1/none`, { embeddable: true })
  }

  @rules.AsRestRoute({
    route: '/paged',
    permission: 'public',
    args: { page: { type: 'integer', default: 1, minimum: 1 }, per_page: { type: 'integer', default: 10, minimum: 1 } },
  })
  paged(request: RestRequest<{ page: number; per_page: number }>) {
    return new RestResponse([{ id: 1 }, { id: 2 }]).paginate(request, 95)
  }

  @rules.AsRestRoute({ route: '/owned', permission: 'mayRead', args: { id: { type: 'integer', required: true } } })
  @rules.AsRestRoute({
    route: '/owned',
    method: 'PATCH',
    permission: 'mayEdit',
    allow_batch: true,
    args: { id: { type: 'integer', required: true } },
  })
  owned(request: RestRequest<{ id: number }>) {
    return new RestResponse({ id: request.get_param('id') })
  }

  mayRead(request: RestRequest<{ id: number }>) {
    return currentUserCan('read_post', request.get_param('id'))
  }

  mayEdit(request: RestRequest<{ id: number }>) {
    return currentUserCan('edit_post', request.get_param('id'))
  }

  /** Headers made of what was sent. */
  @rules.AsRestRoute({ route: '/headers', permission: 'public', args: { value: { type: 'string', default: '' } } })
  headers(request: RestRequest<{ value: string }>) {
    const value = request.get_param('value')
    return new RestResponse({ value }, 200, { 'X-Fuzz-Value': value.replaceAll(/[^\x20-\x7e]/g, '?') })
  }

  /** A failure of the handler's own. */
  @rules.AsRestRoute({
    route: '/failing',
    permission: 'public',
    args: { status: { type: 'integer', default: 409, enum: [400, 404, 409, 410, 422] } },
  })
  failing(request: RestRequest<{ status: 400 | 404 | 409 | 410 | 422 }>): never {
    throw new RestError('failing', 'This route fails.', { status: request.get_param('status') })
  }
}
