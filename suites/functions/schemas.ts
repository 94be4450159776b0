import type { Random } from '../support/random.js'

type Schema = Record<string, unknown>

const types = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object']

const scalars = [
  ['0', '1', '-1', '2', '5', '10', '1.0', '0.0', '-0.0', '1.5', '2.5', '1e0', '1e2', '0.1', '0.3', 'true', 'false'],
  [
    'null',
    '""',
    '"0"',
    '"1"',
    '"-1"',
    '"1.0"',
    '"1.5"',
    '" 1"',
    '"1 "',
    '"1e2"',
    '"0x1"',
    '"1."',
    '".5"',
    '"+1"',
    '"00"',
  ],
  [
    '"a"',
    '"abc"',
    '"abcdef"',
    '"true"',
    '"TRUE"',
    '"False"',
    '"null"',
    '"é"',
    '"éé"',
    '"🙂"',
    '"a,b"',
    '"1,2,3"',
    '" a , b "',
  ],
  ['"2024-01-02T10:00:00"', '"2024-01-02"', '"2024-02-30T10:00:00+02:00"', '"a@b.co"', '"a@b"', '"127.0.0.1"', '"::1"'],
  ['"#fff"', '"#ggg"', '"http://x.y"', '"javascript:x"', '"<b>x</b>"', '"x\\ny"', '"\\u0000"', '"."'],
  ['"550e8400-e29b-41d4-a716-446655440000"'],
].flat()
const keys = ['a', 'b', '0', '1', 'c', 'é', '2']

/** The text of a value in JSON. */
export function valueOf(random: Random, depth = 2): string {
  const kind = random.next()
  if (depth <= 0 || kind < 0.6) return random.pick(scalars)
  const inner = (): string => valueOf(random, depth - 1)
  if (kind < 0.8) return `[${Array.from({ length: random.integer(0, 3) }, inner).join()}]`
  const names = keys.filter(() => random.chance(0.35))
  if (random.chance(0.2)) names.reverse()
  return `{${names.map((name) => `${JSON.stringify(name)}:${inner()}`).join()}}`
}

/** Rules of an argument, about as many of each kind. */
export function schemaOf(random: Random, depth = 2): Schema {
  const rules: Schema = {}
  const put = (chance: number, name: string, make: () => unknown): void => {
    if (random.chance(chance)) rules[name] = make()
  }
  const inner = (): Schema => schemaOf(random, depth - 1)
  const type = random.chance(0.8) ? [random.pick(types)] : [random.pick(types), random.pick(types)]
  rules['type'] = type.length === 1 ? type[0] : type
  put(0.08, 'title', () => random.pick(['T', 'Other', '']))
  if (type.includes('string')) {
    put(0.2, 'minLength', () => random.integer(0, 3))
    put(0.2, 'maxLength', () => random.integer(0, 5))
    put(0.15, 'pattern', () =>
      random.pick(['^a', '\\d+', '^[a-z]*$', 'é', '^.$', 'a#b', '^\\S+@\\S+$', '(', '^(a|b)+?c*$']),
    )
    put(0.2, 'format', () => random.pick(formats))
  }
  if (type.includes('number') || type.includes('integer')) {
    put(0.25, 'minimum', () => random.pick([0, 1, -1, 2.5, 10]))
    put(0.25, 'maximum', () => random.pick([0, 1, 5, 2.5, 100]))
    put(0.15, 'exclusiveMinimum', () => random.chance(0.5))
    put(0.15, 'exclusiveMaximum', () => random.chance(0.5))
    put(0.2, 'multipleOf', () => random.pick([1, 2, 0.5, 0.1, 3]))
  }
  if (depth > 0 && type.includes('array')) {
    put(0.8, 'items', inner)
    put(0.2, 'minItems', () => random.integer(0, 2))
    put(0.2, 'maxItems', () => random.integer(0, 3))
    put(0.25, 'uniqueItems', () => true)
  }
  if (depth > 0 && type.includes('object')) {
    put(0.8, 'properties', () => Object.fromEntries(keys.filter(() => random.chance(0.4)).map((key) => [key, inner()])))
    put(0.15, 'required', () => random.pick([['a'], ['a', 'b'], ['0']]))
    for (const property of Object.values((rules['properties'] ?? {}) as Record<string, Schema>))
      if (random.chance(0.15)) property['required'] = true
    put(0.3, 'additionalProperties', () => random.pick([false, true, inner()]))
    put(0.1, 'patternProperties', () => ({ [random.pick(['^a', '\\d', '.'])]: inner() }))
    put(0.15, 'minProperties', () => random.integer(0, 2))
    put(0.15, 'maxProperties', () => random.integer(0, 2))
  }
  put(0.12, 'enum', () => Array.from({ length: random.integer(1, 3) }, () => positiveZeros(valueOf(random, 1))))
  if (depth > 0 && random.chance(0.15)) {
    put(0.6, 'anyOf', () => candidatesOf(random, depth))
    put(0.6, 'oneOf', () => candidatesOf(random, depth))
    // A schema without a type has that of the matching candidate.
    if ((rules['anyOf'] ?? rules['oneOf']) !== undefined && random.chance(0.3)) delete rules['type']
  }
  return rules
}

function candidatesOf(random: Random, depth: number): Schema[] {
  return Array.from({ length: random.integer(1, 3) }, () => {
    const candidate = schemaOf(random, depth - 1)
    if (random.chance(0.2)) delete candidate['type']
    return random.chance(0.4) ? { title: random.pick(['T', 'U']), ...candidate } : candidate
  })
}

const texts: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-01-02T10:00:00', '2024-02-30T10:00:00+02:00', '2024-01-02 24:00:60.5Z', '2024-13-01T00:00:00'],
  email: ['a@b.co', 'a..b@c.de', 'é@b.co', 'a@-b.co'],
  ip: ['127.0.0.1', '::1', '1.2.3.256', '01.02.03.04', 'fe80::1%eth0'],
  uuid: ['550e8400-e29b-41d4-a716-446655440000', '550E8400-e29b-41d4-a716-446655440000'],
  'hex-color': ['#fff', '#abcdef', '#ffff', 'fff'],
  uri: ['http://x.y', 'javascript:x', 'x y', '//a'],
  'text-field': [' <b>a</b>\n b ', '%41x', 'a < b'],
  'textarea-field': [' <b>a</b>\n b ', 'a\n\n  b'],
}
const formats = Object.keys(texts)

/** The text of a value in JSON that a schema may accept. */
export function valueFor(random: Random, rules: Schema, depth = 3): string {
  if (random.chance(0.12) || depth === 0) return valueOf(random, 1)
  const { type, properties, items } = rules
  if (Array.isArray(rules['enum']) && random.chance(0.7)) return JSON.stringify(random.pick(rules['enum'] as unknown[]))
  const candidates = (rules['anyOf'] ?? rules['oneOf']) as readonly Schema[] | undefined
  if (candidates !== undefined && random.chance(0.7))
    return valueFor(random, { type, ...random.pick(candidates) }, depth - 1)
  const inner = (schema: unknown): string => valueFor(random, (schema ?? {}) as Schema, depth - 1)
  switch (Array.isArray(type) ? random.pick(type as unknown[]) : type) {
    case 'string':
      return JSON.stringify(
        random.pick(texts[String(rules['format'])] ?? ['a', 'abc', '1', '', 'é🙂', 'a@b.co', '[1]', '{"a":1}']),
      )
    case 'integer':
      return random.pick(['0', '1', '2', '-1', '3', '10', '100', '1.0', '"1"', '"-2"', '1e1', '"5 "', '"010"', '-0'])
    case 'number':
      return random.pick([
        '0',
        '0.1',
        '0.3',
        '2.5',
        '-1.5',
        '1e3',
        '1.0',
        '"0.5"',
        '"1e2"',
        '" 1"',
        '1e-7',
        '123456789012345.678',
        '"."',
      ])
    case 'boolean':
      return random.pick(['true', 'false', '"true"', '"FALSE"', '0', '1', '"0"', '"1"', '""', '"no"', '1.0'])
    case 'null':
      return random.pick(['null', '""', '0', '"null"'])
    case 'array':
      if (random.chance(0.15)) return random.pick(['"a,b"', '"1, 2 3"', '""', '"a"', '1', '{"1":1,"2":2}', '" , "'])
      return `[${Array.from({ length: random.integer(0, 4) }, () => inner(items)).join()}]`
    default: {
      const declared = (properties ?? {}) as Record<string, Schema>
      const names = [
        ...Object.keys(declared).filter(() => random.chance(0.8)),
        ...keys.filter(() => random.chance(0.1)),
      ]
      return `{${[...new Set(names)].map((name) => `${JSON.stringify(name)}:${inner(declared[name])}`).join()}}`
    }
  }
}

/** A rule reaches PHP as JSON text, which has no negative zero. */
function positiveZeros(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => (value === 0 ? 0 : value))
}

/** Whether rules, or those inside them, have `anyOf` beside `oneOf`, or one of these and `uniqueItems` somewhere inside. */
export function mixesCandidates(rules: unknown): boolean {
  if (typeof rules !== 'object' || rules === null) return false
  const candidates = ['anyOf', 'oneOf'].filter((name) => name in rules)
  if (candidates.length === 2) return true
  if (candidates.length === 1 && JSON.stringify(rules).includes('"uniqueItems"')) return true
  return Object.values(rules).some(mixesCandidates)
}
