// The values that handlers of the test application read, by the name of the argument: what its rules promise, written a
// second time. A parameter that was not sent is absent, and null where its rules allow that or JSON had it.

const nullable = (...schemas: readonly object[]) => ({ anyOf: [{ type: 'null' }, ...schemas] })
const text = nullable({ type: 'string' })

const safe = { not: { type: 'string', pattern: '<script' } }

export const paramSchemas: Readonly<Record<string, object>> = {
  any: {},
  integer: nullable({ type: 'integer', minimum: -5, maximum: 500, multipleOf: 5 }),
  exclusive: nullable({ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 }),
  number: nullable({ type: 'number', minimum: -1.5 }),
  boolean: nullable({ type: 'boolean' }),
  string: nullable({ type: 'string', minLength: 2, maxLength: 12 }),
  pattern: nullable({ type: 'string', pattern: '^[a-z]+(?:-[a-z0-9]+)*\\n?$', maxLength: 100 }),
  unicode: nullable({ type: 'string', pattern: '^[^a-z]' }),
  enum: nullable({ enum: ['one', 'two', '3', ''] }),
  enum_integer: nullable({ enum: [1, 2, 3] }),
  nothing: { type: 'null' },
  date: nullable({ type: 'string', pattern: '^\\s*\\d{4}-\\d\\d?-\\d\\d?' }),
  email: nullable({ type: 'string', pattern: '@' }),
  ip: nullable({ type: 'string', pattern: '^[\\da-fA-F.:]+$' }),
  uuid: nullable({ type: 'string', pattern: '^[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}$' }),
  color: nullable({ type: 'string', pattern: '^(?:#(?:[\\da-fA-F]{3}){1,2}\\n?)?$' }),
  uri: text,
  text_field: nullable({ type: 'string', pattern: '^[^\\r\\n\\t]*$' }),
  textarea_field: text,
  several: { type: ['integer', 'boolean', 'null', 'string'] },
  list: nullable({
    type: 'array',
    items: { type: 'integer', minimum: 0 },
    minItems: 1,
    maxItems: 5,
    uniqueItems: true,
  }),
  lists: nullable({ type: 'array', items: { type: 'array', items: { type: 'string' } }, uniqueItems: true }),
  map: nullable({
    type: 'object',
    required: ['width'],
    properties: { width: { type: 'number', minimum: 0 }, height: { type: 'number' }, unit: { enum: ['cm', 'in'] } },
    additionalProperties: false,
  }),
  named: nullable(
    {
      type: 'object',
      patternProperties: { '^data-[a-z]+$': { type: 'string', maxLength: 20 }, '^[^-]*\\d$': { type: 'integer' } },
      maxProperties: 6,
    },
    { type: 'array', maxItems: 6 },
  ),
  tree: nullable({
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      children: { type: 'array', items: { type: ['object', 'array'], properties: { name: { type: 'string' } } } },
    },
  }),
  any_of: nullable(
    // The integer of an infinite number is 0, as in PHP.
    { type: 'integer' },
    { type: 'string', pattern: '^(?:#(?:[\\da-fA-F]{3}){1,2}\\n?)?$' },
    { type: 'object', required: ['x'], properties: { x: { type: 'number' } } },
  ),
  one_of: nullable({ type: 'boolean' }, { type: 'array', items: { type: ['string', 'integer'] } }),
  checked: { type: 'string', minLength: 1 },
  rewritten: nullable({
    type: 'object',
    required: ['length', 'text'],
    properties: { length: { type: 'integer' }, text: {} },
  }),
  sanitizers: {
    type: ['object', 'array'],
    properties: {
      absint: nullable({ type: 'integer', minimum: 0 }),
      boolval: nullable({ type: 'boolean' }),
      intval: nullable({ type: 'integer' }),
      floatval: nullable({ type: 'number' }),
      rest_sanitize_boolean: nullable({ type: 'boolean' }),
      sanitize_key: nullable({ type: 'string', pattern: '^[a-z0-9_-]*$' }),
      sanitize_html_class: nullable({ type: 'string', pattern: '^[A-Za-z0-9_-]*$' }),
      sanitize_hex_color: text,
      sanitize_text_field: text,
      sanitize_title: nullable({ type: 'string', pattern: '^[^A-Z ]*$' }),
      // As in WordPress, the items of a list are filtered.
      wp_kses_post: { ...safe, items: safe },
      wp_strip_all_tags: { not: { type: 'string', pattern: '<[a-z]' } },
      wp_parse_id_list: nullable({ type: ['array', 'object'], items: { type: 'integer', minimum: 0 } }),
      wp_parse_list: nullable({ type: ['array', 'object'] }),
      wp_parse_slug_list: nullable({ type: ['array', 'object'], items: { type: 'string' } }),
    },
  },
}
