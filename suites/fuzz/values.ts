import type { ArgumentRules, TypeName } from '../../src/validation/rules.js'
import type { Random } from '../support/random.js'

/** Texts that programs mistake for something else. */
export const hostileTexts: readonly string[] = [
  '',
  '0',
  ' ',
  'null',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '0x1F',
  '9223372036854775808',
  '-99999999999999999999',
  '1.0',
  '٣',
  '\0',
  'a\0b',
  'line\nfeed',
  'carriage\r\nX-Injected: 1',
  '\ud800',
  'x\udfff\ud800y',
  '\udc80\udcff',
  '\ufeff',
  '\u202eabc',
  '💥'.repeat(20),
  'e\u0301'.repeat(10),
  '%00',
  '%',
  '%zz%E0%A4',
  '..%2f..%2fetc/passwd',
  '../../../../etc/passwd',
  "' OR 1=1 -- ",
  "'); DROP TABLE wp_posts; --",
  '" onload="alert(1)',
  '<script>alert(1)</script>',
  '</script><svg onload=alert(1)>',
  '<img src=x onerror=alert(1)>',
  '<a href="java\tscript:alert(1)">',
  '<!-- wp:x {"a":"\\u003c"} -->',
  '{{7*7}}<%= 7*7 %>${7*7}',
  'O:8:"stdClass":0:{}',
  'a:1:{i:0;s:1:"x";}',
  '__proto__',
  'constructor',
  'toString',
  'data:text/html,<script>',
  'javascript:alert(1)',
  '//evil.example/%5c',
  'http://[::1',
  '((((((((((((((((((((a',
  `${'a-'.repeat(60)}!`,
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
  '2026-02-30T25:61:61Z',
  '9999-99-99T99:99:99',
  'user@exa_mple..com',
  '1'.repeat(400),
  ','.repeat(300),
  '<'.repeat(300),
]

const hostileNumbers: readonly unknown[] = [
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e-7,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1.797e308,
  5e-324,
  0.1 + 0.2,
]

/** Any value at all. */
export function hostileValue(random: Random): unknown {
  return random.choose<unknown>([
    [8, () => random.pick(hostileTexts)],
    [3, () => random.pick(hostileNumbers)],
    [1, () => null],
    [1, () => random.chance(0.5)],
    [1, () => []],
    [1, () => ({})],
    [2, () => Array.from({ length: random.integer(1, 5) }, () => hostileValue(random))],
    [2, () => hostileMap(random)],
    [0.3, () => nested(random)],
    [0.2, () => random.text(random.integer(1_000, 20_000), 'a1 <é\ud83d')],
    [0.1, () => Array.from({ length: random.integer(100, 2_000) }, (_, index) => index)],
  ])
}

function hostileMap(random: Random): unknown {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', '0', '1', '-1', '01', '', 'a.b', 'a[b]', 'a b', 'ключ']
  return Object.fromEntries(
    Array.from({ length: random.integer(1, 4) }, () => [random.pick(names), hostileValue(random)]),
  )
}

/** Lists inside each other, around the limits of 64 brackets and 512 levels. */
function nested(random: Random): unknown {
  let value: unknown = 'deep'
  const depth = random.pick([10, 63, 64, 65, 200, 510, 511, 512, 600])
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

const formatTexts: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-11-24T08:00:00', '2026-11-24 08:00:00.5+02:00', '1970-01-01T00:00:00Z'],
  email: ['ada@shop.example', "o'neil+tag@mail.shop.example"],
  ip: ['127.0.0.1', '2001:db8::1', '010.1.1.1'],
  uuid: ['0c9bcb7d-2f5d-4a1b-8a65-2c3f1f0f9b5e'],
  'hex-color': ['#fff', '#1a2B3c'],
  uri: ['https://shop.example/a?b=c#d', 'mailto:a@b.example'],
}

/** A value that these rules accept, for most rules. */
export function validValue(rules: ArgumentRules, random: Random): unknown {
  const candidates = rules.anyOf ?? rules.oneOf
  if (candidates && candidates.length > 0) return validValue(random.pick(candidates), random)
  if (rules.enum && rules.enum.length > 0) return random.pick(rules.enum)
  if (rules.default !== undefined && random.chance(0.2)) return rules.default
  const type = rules.type === undefined ? 'string' : random.pick([rules.type].flat() as readonly TypeName[])
  switch (type) {
    case 'integer':
    case 'number':
      return validNumber(rules, type, random)
    case 'boolean':
      return random.pick([true, false, 'true', '0', 1])
    case 'null':
      return null
    case 'array': {
      const length = random.integer(rules.minItems ?? 0, Math.min(rules.maxItems ?? 4, 6))
      return Array.from({ length }, () => validValue(rules.items ?? {}, random))
    }
    case 'object':
      return validMap(rules, random)
    default:
      return validText(rules, random)
  }
}

function validNumber(rules: ArgumentRules, type: TypeName, random: Random): number {
  const step = rules.multipleOf ?? (type === 'integer' ? 1 : 0.5)
  const from = Math.ceil((rules.minimum ?? -10) / step) + (rules.exclusiveMinimum === true ? 1 : 0)
  const to = Math.floor(Math.min(rules.maximum ?? 100, 1_000) / step) - (rules.exclusiveMaximum === true ? 1 : 0)
  return random.integer(from, Math.max(from, to)) * step
}

function validText(rules: ArgumentRules, random: Random): string {
  const texts = rules.format === undefined ? undefined : formatTexts[rules.format]
  if (texts) return random.pick(texts)
  const from = rules.minLength ?? (rules.pattern === undefined ? 0 : 1)
  return random.text(random.integer(from, Math.min(rules.maxLength ?? 20, 200)), rules.pattern ? 'abc' : undefined)
}

function validMap(rules: ArgumentRules, random: Random): Record<string, unknown> {
  const map: Record<string, unknown> = {}
  const required = Array.isArray(rules.required) ? rules.required : []
  for (const [name, inner] of Object.entries(rules.properties ?? {}))
    if (inner.required === true || required.includes(name) || random.chance(0.5)) map[name] = validValue(inner, random)
  if (rules.patternProperties && random.chance(0.6)) map[`data-${random.text(2, 'ab')}`] = random.text(3)
  return map
}

/** A value next to the accepted ones: beyond a bound, of another type, wrapped, cut, or with something behind it. */
export function nearlyValidValue(rules: ArgumentRules, random: Random): unknown {
  const value = validValue(rules, random)
  return random.choose<unknown>([
    [
      2,
      () =>
        typeof value === 'number'
          ? value + random.pick([-1, 1, 0.5, 1e9, -1e9])
          : `${textOf(value)}${random.pick([' ', '\n', '\0', '.0', 'x'])}`,
    ],
    [1, () => textOf(value)],
    [1, () => [value]],
    [1, () => ({ 0: value, extra: value })],
    [1, () => textOf(value).slice(1)],
    [1, () => textOf(value).repeat(random.integer(2, 30))],
    [1, () => null],
    [
      1,
      () =>
        Array.isArray(value) ? [...(value as unknown[]), ...(value as unknown[]), 'x'] : textOf(value).toUpperCase(),
    ],
  ])
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** Mostly accepted, sometimes nearly so, sometimes hostile. */
export function valueFor(rules: ArgumentRules, random: Random): unknown {
  return random.choose<unknown>([
    [5, () => validValue(rules, random)],
    [3, () => nearlyValidValue(rules, random)],
    [2, () => hostileValue(random)],
  ])
}
