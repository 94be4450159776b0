import { searchTerms } from '../../src/content/search-terms.js'
import { ContentRenderer } from '../../src/content/content-renderer.js'
import { filteredContent, filteredTitle } from '../../src/content/filters.js'
import { withEncodedEmoji } from '../../src/content/narrow-texts.js'
import { shortened } from '../../src/content/slug.js'
import { parseJson } from '../../src/php/json-parser.js'
import { stripTags } from '../../src/php/strip-tags.js'
import { urlParts } from '../../src/php/url-parts.js'
import { filterStyle } from '../../src/sanitizers/style.js'
import {
  storedApplicationName,
  storedDescription,
  storedEmail,
  storedName,
  storedUserUrl,
} from '../../src/sanitizers/user-texts.js'
import { wordpressFunctions } from '../../src/sanitizers/wordpress-functions.js'
import { compilePattern, patternFault } from '../../src/validation/pattern.js'
import type { ArgumentRules } from '../../src/validation/rules.js'
import { compileSchema } from '../../src/validation/schema.js'
import { unlimitedWork } from '../../src/validation/work-limit.js'
import type { Random } from '../support/random.js'
import { contentOf } from './contents.js'
import { htmlOf, keepsBlocks } from './html.js'
import { patternOf, subjectOf } from './patterns.js'
import { jsonOf, lineOf, type Wordpress } from './peer.js'
import { mixesCandidates, schemaOf, valueFor, valueOf } from './schemas.js'
import { styleOf } from './styles.js'
import { tableNames, tableOf } from './tables.js'
import { addressOf, textOf } from './texts.js'

/** One call of a function of WordPress, and of the one here that stands for it. */
export interface Call {
  readonly name: string
  /** As the peer reads it. */
  readonly line: string
  /** @returns what PHP returns; {@link notCompared} for a call whose result is left to PHP. */
  readonly ours: () => unknown
  /** The result of PHP in the form of {@link ours}. */
  readonly read?: (result: unknown) => unknown
  /** Whether two results differ as the documentation says. */
  readonly isKnown?: (ours: unknown, theirs: unknown) => boolean
}

export const notCompared = Symbol('not compared')

/** Functions of which every version of WordPress since 6.1 returns the same for all texts of this suite. */
const commonFunctions = [
  ['esc_attr', 'esc_html', 'is_email', 'rest_is_ip_address', 'rest_parse_hex_color', 'sanitize_email'],
  ['sanitize_hex_color', 'sanitize_key', 'sanitize_mime_type', 'sanitize_text_field', 'sanitize_textarea_field'],
  ['wp_parse_id_list', 'wp_parse_list', 'wp_parse_slug_list'],
].flat()

/** Functions that take every value. */
const valueFunctions = [
  ['absint', 'boolval', 'floatval', 'intval', 'rest_sanitize_boolean', 'sanitize_html_class', 'sanitize_mime_type'],
  ['sanitize_key', 'sanitize_text_field', 'strval', 'wp_is_uuid'],
  ['wp_parse_id_list', 'wp_parse_list', 'wp_parse_slug_list'],
].flat()

/** Functions that take every value but lists and maps. */
const scalarFunctions = [
  'esc_html',
  'esc_url_raw',
  'is_email',
  'rest_parse_date',
  'sanitize_hex_color',
  'sanitize_title',
  'sanitize_user',
]

export function callOf(random: Random, { isReference, dbVersion, hasMultibyte }: Wordpress): Call {
  // Of older versions, the parts are left out that differ from the reference.
  const newOnly = (weight: number, make: () => Call): [number, () => Call] => [isReference ? weight : 0, make]
  // In older versions, the non-breaking hyphen stays in slugs.
  const withoutHyphen = (text: string): string => (isReference ? text : text.replaceAll('\u2011', ''))
  const lower = (text: string): string => text.replaceAll(/[^\x00-\x7f]+/g, (part) => part.toLowerCase())
  const text = (): string => withoutHyphen(hasMultibyte ? textOf(random) : lower(textOf(random)))
  return random.choose<Call>([
    [24, () => checkOf(random)],
    [3, () => patternCall(random)],
    [14, () => ofText(random.pick(commonFunctions), text())],
    [14, () => ofTextAndMore(random, text(), isReference)],
    [3, () => ofValue(random.pick(valueFunctions), valueOf(random))],
    [1, () => ofValue(random.pick(scalarFunctions), valueOf(random, 0))],
    [10, () => styleCall(styleOf(random, isReference))],
    [2, () => partsCall(addressOf(random))],
    [2, () => textCall('strip_tags', random.chance(0.5) ? htmlOf(random) : textOf(random), stripTags)],
    [2, () => slugCall(random, text())],
    [2, () => searchCall(textOf(random))],
    newOnly(14, () => htmlCall(random)),
    newOnly(4, () => userTextCall(random)),
    newOnly(4, () => storedFieldCall(random)),
    newOnly(3, () => ofText('sanitize_file_name', textOf(random))),
    newOnly(3, () => contentCall(contentOf(random), dbVersion)),
    newOnly(1, () => textCall('wp_encode_emoji', textOf(random), withEncodedEmoji)),
    newOnly(0.02, () => tableCall(random.pick(tableNames))),
  ])
}

/** @param more further arguments. */
function ofText(name: string, text: string, ...more: readonly unknown[]): Call {
  const line = lineOf(name, [text, ...more].map(jsonOf))
  return { name, line, ours: () => wordpressFunctions.get(name)?.(text, ...more) }
}

function ofValue(name: string, json: string): Call {
  return { name, line: lineOf(name, [json]), ours: () => wordpressFunctions.get(name)?.(parseJson(json)) }
}

function textCall(name: string, text: string, work: (text: string) => unknown): Call {
  return { name, line: lineOf(name, [jsonOf(text)]), ours: () => work(text) }
}

/** Functions with optional arguments. */
function ofTextAndMore(random: Random, text: string, isReference: boolean): Call {
  const flag = random.chance(0.5)
  const protocols =
    isReference && random.chance(0.3) ? [random.pick([['https'], ['http', 'mailto'], ['javascript'], []])] : []
  return random.choose<Call>([
    [4, () => ofText('esc_url', isReference && random.chance(0.6) ? addressOf(random) : text, ...protocols)],
    [3, () => ofText('esc_url_raw', isReference && random.chance(0.6) ? addressOf(random) : text, ...protocols)],
    [2, () => ofText('rest_parse_date', random.chance(0.8) ? dateOf(random) : text, flag)],
    [2, () => ofText('sanitize_html_class', text, ...(flag ? [textOf(random)] : []))],
    [3, () => ofText('sanitize_title', text, textOf(random), flag ? 'save' : 'query')],
    [3, () => ofText('sanitize_user', text, flag)],
    [1, () => ofText('wp_is_uuid', random.chance(0.5) ? text : uuidOf(random), ...(flag ? [4] : []))],
    [3, () => ofText('wp_strip_all_tags', random.chance(0.5) ? text : htmlOf(random), flag)],
    [
      1,
      () => ofText('trim', text, ...(flag ? [random.pick(['a..z', ' ', 'a', '0..9-', 'z..a', '.', '..', 'a..'])] : [])),
    ],
    [1, () => ofText('intval', random.text(4, '019abxo-+ .e'), random.pick([10, 16, 8, 2, 0, 36]))],
  ])
}

function dateOf(random: Random): string {
  const number = (digits: number, most: number): string =>
    String(random.integer(0, most)).padStart(random.chance(0.95) ? digits : 1, '0')
  const date = `${number(4, 9999)}-${number(2, 13)}-${number(2, 32)}`
  const time = `${number(2, 25)}:${number(2, 61)}:${number(2, 61)}`
  const zone = random.pick([
    '',
    '',
    'Z',
    'z',
    '+02:00',
    '-1130',
    '+2',
    '-25:00',
    '+00:60',
    '+14',
    '.5',
    '.123Z',
    '\n',
    ' ',
  ])
  return `${random.chance(0.1) ? ' ' : ''}${date}${random.pick(['T', 'T', 't', ' ', ''])}${time}${zone}`
}

function uuidOf(random: Random): string {
  const part = (length: number): string => random.text(length, '0123456789abcdef')
  const text = [part(8), part(4), `4${part(3)}`, `${random.pick(['8', 'b', 'c', '1'])}${part(3)}`, part(12)].join('-')
  return `${random.chance(0.1) ? text.toUpperCase() : text}${random.pick(['', '', '\n', 'a'])}`
}

function styleCall(style: string): Call {
  return textCall('safecss_filter_attr', style, filterStyle)
}

function partsCall(address: string): Call {
  const ours = (): unknown => {
    const parts = urlParts(address)
    return parts === null ? false : [parts.path, parts.query]
  }
  return { name: 'address_parts', line: lineOf('address_parts', [jsonOf(address)]), ours }
}

function slugCall(random: Random, text: string): Call {
  const slug = String(wordpressFunctions.get('sanitize_title')?.(text.repeat(random.integer(1, 4))))
  const length = random.integer(1, 60)
  const line = lineOf('_truncate_post_slug', [jsonOf(slug), String(length)])
  return { name: '_truncate_post_slug', line, ours: () => shortened(slug, length) }
}

function searchCall(text: string): Call {
  const read = (result: unknown): unknown => {
    const words = result as readonly string[]
    return {
      include: words.filter((word) => !word.startsWith('-')),
      exclude: words.filter((word) => word.startsWith('-')).map((word) => word.slice(1)),
    }
  }
  return { ...textCall('search_words', text, searchTerms), read }
}

const userTexts = {
  pre_term_name: storedName,
  pre_user_display_name: storedName,
  pre_user_description: storedDescription,
  pre_user_url: storedUserUrl,
} as const

function userTextCall(random: Random): Call {
  const text = random.chance(0.3) ? htmlOf(random) : textOf(random)
  return random.choose<Call>([
    [1, () => textCall('application_name', text, storedApplicationName)],
    // An `&` is not escaped here: docs/wordpress.md, users and application passwords.
    [1, () => storedCall('pre_user_email', text, (email) => (email.includes('&') ? notCompared : storedEmail(email)))],
    [
      4,
      () => {
        const filter = random.pick(Object.keys(userTexts) as (keyof typeof userTexts)[])
        return storedCall(filter, filter === 'pre_user_url' ? addressOf(random) : text, userTexts[filter])
      },
    ],
  ])
}

function storedCall(filter: string, text: string, work: (text: string) => unknown): Call {
  return withBlocks({ name: filter, line: lineOf('stored_text', [filter, text].map(jsonOf)), ours: () => work(text) })
}

function htmlCall(random: Random): Call {
  const name = random.pick(['wp_kses_post', 'wp_kses_post', 'wp_kses_post', 'wp_kses_data'])
  return withBlocks(ofText(name, htmlOf(random)))
}

/** Of a block that has no end, WordPress repeats or drops text: docs/wordpress.md, on purpose, 38. A block that is lost here is a finding. */
function withBlocks(call: Call): Call {
  return { ...call, isKnown: (ours, theirs) => keepsBlocks(String(ours), String(theirs)) }
}

function storedFieldCall(random: Random): Call {
  const text = random.chance(0.7) ? htmlOf(random) : textOf(random)
  const allowsHtml = random.chance(0.3)
  const [field, work] = random.pick([
    ['post_title', filteredTitle],
    ['post_content', filteredContent],
    ['post_excerpt', filteredContent],
  ] as const)
  const line = lineOf('stored_field', [field, text, allowsHtml].map(jsonOf))
  return withBlocks({ name: field, line, ours: () => work(text, allowsHtml) })
}

function contentCall(content: string, dbVersion: number): Call {
  const renderer = new ContentRenderer({ dbVersion })
  return textCall('rendered_content', content, () => renderer.render({ type: 'post', content }) ?? notCompared)
}

function tableCall(name: (typeof tableNames)[number]): Call {
  const call = textCall('table_of_names', name, () => tableOf(name))
  return { ...call, read: (result) => tableOf(name, result) }
}

function patternCall(random: Random): Call {
  const pattern = patternOf(random)
  const text = subjectOf(random)
  const line = lineOf('rest_validate_json_schema_pattern', [pattern, text].map(jsonOf))
  // A bug of PCRE 10.42: `(?:a|(?=b)){0}` matches the empty text only, but is not found in a text without a `b`.
  const isMisread = /\(\?=.*\)\{0\}/s.test(pattern)
  // The start refuses patterns with a fault, at least for texts of this length.
  const ours = (): unknown =>
    isMisread || patternFault(pattern, text.length) !== null
      ? notCompared
      : compilePattern(pattern)(text, unlimitedWork)
  return { name: 'rest_validate_json_schema_pattern', line, ours }
}

function checkOf(random: Random): Call {
  const rules = schemaOf(random)
  const text = random.chance(0.7) ? valueFor(random, rules) : valueOf(random)
  return {
    name: 'checked_by_schema',
    line: lineOf('checked_by_schema', [text, jsonOf(rules)]),
    ours() {
      const schema = compileSchema(rules as ArgumentRules)
      const value = parseJson(text)
      const isFloat = typeof value === 'number' && Number.isInteger(value) && /[.eE]/.test(text)
      const invalid = schema.validate(value, 'p', isFloat)
      const { value: coerced, problem } = invalid
        ? { value: null, problem: invalid }
        : schema.sanitize(value, 'p', isFloat)
      return problem === null
        ? { value: coerced }
        : { code: problem.code, message: problem.message, data: problem.data }
    },
    // docs/wordpress.md, on purpose, 39.
    isKnown: (ours) => (ours as { code?: string }).code !== undefined && mixesCandidates(rules),
  }
}
