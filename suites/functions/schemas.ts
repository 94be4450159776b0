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
  if (type.includes('string')) {
    put(0.2, 'minLength', () => random.integer(0, 3))
    put(0.2, 'maxLength', () => random.integer(0, 5))
    put(0.15, 'pattern', () => random.pick(['^a', '\\d+', '^[a-z]*$', 'é', '^.$', 'a#b']))
    put(0.2, 'format', () => random.pick(['date-time', 'email', 'ip', 'uuid', 'hex-color', 'uri', 'text-field']))
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
    put(0.3, 'additionalProperties', () => random.pick([false, true, inner()]))
    put(0.1, 'patternProperties', () => ({ [random.pick(['^a', '\\d', '.'])]: inner() }))
    put(0.15, 'minProperties', () => random.integer(0, 2))
    put(0.15, 'maxProperties', () => random.integer(0, 2))
  }
  put(0.12, 'enum', () => Array.from({ length: random.integer(1, 3) }, () => positiveZeros(valueOf(random, 1))))
  if (depth > 0) put(0.1, random.pick(['anyOf', 'oneOf']), () => [inner(), { title: 'T', ...inner() }])
  return rules
}

/** A rule reaches PHP as JSON text, which has no negative zero. */
function positiveZeros(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => (value === 0 ? 0 : value))
}
