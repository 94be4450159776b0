import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { stripTags } from '../php/strip-tags.js'
import { decodeBytes } from '../php/text.js'
import { isEmail, sanitizeEmail } from './email.js'
import { isIpAddress } from './ip-address.js'
import { parseDate } from './date.js'
import { sanitizeFileName } from './file-name.js'
import { parseQuery } from '../http/query.js'
import { parseIdList, type ListOf } from './lists.js'
import { sanitizeMimeType } from './mime-type.js'
import { namedSanitizers } from './named-sanitizers.js'
import type { SanitizerTypes } from './sanitizer-types.js'
import { sanitizeTextareaField, sanitizeTextField } from './text-field.js'
import { sanitizeTitle } from './title.js'
import { escUrl, sanitizeUrl } from './url.js'
import { isUuid } from './uuid.js'
import { allowedProtocols } from './protocols.js'
import { wordpressFunctions } from './wordpress-functions.js'

type Is<Type> = (value: unknown) => value is Type

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isScalar = (value: unknown): value is unknown => typeof value !== 'object'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const orFalse =
  <Type>(is: Is<Type>): Is<Type | false> =>
  (value): value is Type | false =>
    value === false || is(value)
const isListOf =
  <Type>(is: Is<Type>): Is<ListOf<Type>> =>
  (value): value is ListOf<Type> =>
    typeof value === 'object' && value !== null && Object.values(value).every(is)
const isTexts = isListOf(isText)
const isTextOrTexts = (value: unknown): value is string | ListOf<string> => isText(value) || isTexts(value)

/** A runtime check for each type of `SanitizerTypes`. */
const typeChecks: { readonly [Name in keyof SanitizerTypes]: Is<SanitizerTypes[Name]> } = {
  absint: isNumber,
  boolval: isBoolean,
  esc_attr: isText,
  esc_html: isText,
  esc_url: isText,
  esc_url_raw: isText,
  floatval: isNumber,
  intval: isNumber,
  is_email: orFalse(isText),
  rest_is_ip_address: orFalse(isText),
  rest_parse_date: orFalse(isNumber),
  rest_parse_hex_color: orFalse(isText),
  rest_sanitize_boolean: isBoolean,
  sanitize_email: isText,
  sanitize_file_name: isText,
  sanitize_hex_color: isTextOrNull,
  sanitize_html_class: isTextOrTexts,
  sanitize_key: isText,
  sanitize_mime_type: isTextOrTexts,
  sanitize_text_field: isText,
  sanitize_textarea_field: isText,
  sanitize_title: isText,
  sanitize_url: isText,
  sanitize_user: isText,
  strtolower: isText,
  strval: isText,
  trim: isText,
  wp_is_uuid: isBoolean,
  wp_kses_data: isTextOrTexts,
  wp_kses_post: isTextOrTexts,
  wp_parse_id_list: isListOf(isNumber),
  wp_parse_list: isListOf(isScalar),
  wp_parse_slug_list: isListOf(isText),
  wp_strip_all_tags: isText,
}

test('the named sanitisers are those of SanitizerTypes, and each takes the value only', () => {
  assert.deepEqual([...namedSanitizers.keys()].sort(), Object.keys(typeChecks).sort())
  assert.equal(namedSanitizers.get('intval')?.('012'), 12)
})

test('each sanitiser returns a value of its declared type for any input', () => {
  const itemwise = ['sanitize_html_class', 'sanitize_mime_type', 'wp_kses_data', 'wp_kses_post']
  const inputs = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(' a, b', '1.2.3.4', '#fff', 'a@b.co', '2024-01-01T00:00:00', ['<b>x</b>'], { a: ['b'] }),
  )
  fc.assert(
    fc.property(inputs, (value) => {
      for (const [name, is] of Object.entries(typeChecks)) {
        const sanitized = namedSanitizers.get(name)?.(value)
        assert.ok(is(sanitized), `${name} returned ${JSON.stringify(sanitized)}`)
        if (typeof value !== 'object' && itemwise.includes(name)) assert.ok(isText(sanitized), name)
      }
    }),
    { numRuns: 500 },
  )
})

test('sanitize_text_field returns one line, sanitize_textarea_field leaves line breaks', () => {
  const pairs: [unknown, string, string][] = [
    [' a\n\tb  c ', 'a b c', 'a\n\tb  c'],
    ['a < b', 'a &lt; b', 'a &lt; b'],
    ['<3 love', '&lt;3 love', '&lt;3 love'],
    ['1 < 2 > 0', '1 < 2 > 0', '1 < 2 > 0'],
    ['x<\ny', 'x&lt; y', 'x&lt;\ny'],
    ['<script>1</script>z', 'z', 'z'],
    ['a<br/>b', 'ab', 'ab'],
    ["<a href='x>y'>z</a>", 'z', 'z'],
    ['%41%zz%%4142', '%zz', '%zz'],
    ['a%2525b', 'a25b', 'a25b'],
    ['100% off %20x%2541', '100% off x41', '100% off x41'],
    ['a &amp; b', 'a &amp; b', 'a &amp; b'],
    ['a\u00a0b', 'a\u00a0b', 'a\u00a0b'],
    [true, '1', '1'],
    [1.5, '1.5', '1.5'],
    [['a'], '', ''],
    [decodeBytes(Uint8Array.of(0x61, 0xff)), '', ''],
  ]
  for (const [value, line, area] of pairs) {
    assert.equal(sanitizeTextField(value), line)
    assert.equal(sanitizeTextareaField(value), area)
  }
})

test('sanitize_title returns the slug of a title', () => {
  const pairs: [string, string][] = [
    ['  -- Ünïcode Straße! ', 'unicode-strase'],
    ['a/b.c_d', 'a-b-c_d'],
    ['“q”—x…', 'q-x'],
    ['日本語', '%e6%97%a5%e6%9c%ac%e8%aa%9e'],
    ['日'.repeat(30), '%e6%97%a5'.repeat(22)],
    ['50% off', '50-off'],
    ['a%20b', 'a%20b'],
    ['a+b=c', 'abc'],
    ['ÆØÅ æøå ß ẞ Đ ł', 'aeoa-aeoa-s-%c3%9f-d-l'],
    ['emoji 😀 x', 'emoji-%f0%9f%98%80-x'],
    ['2×4', '2x4'],
    ['a\u00adb\u00a0c\u2003d', 'ab-c-d'],
    ['chapter ---aa--- %zz', 'chapter-%aa-zz'],
  ]
  for (const [title, slug] of pairs) assert.equal(sanitizeTitle(title), slug)
  assert.equal(sanitizeTitle('É a/b x', 'query'), '%c3%a9-ab-x')
})

test('sanitize_email cleans an address, and is_email accepts clean ones only', () => {
  const addresses: [string, string, boolean][] = [
    ['a@b.co', 'a@b.co', true],
    ['a b@c.de', 'ab@c.de', false],
    ['a@-b-.co', 'a@b.co', false],
    ['a@c_d.com', 'a@cd.com', false],
    ['a@b', '', false],
    ['a..b@c.de', 'a..b@c.de', true],
    ['x@y.z', '', false],
    ['a@b.co\n', 'a@b.co', false],
  ]
  for (const [address, sanitized, isValid] of addresses) {
    assert.equal(sanitizeEmail(address), sanitized)
    assert.equal(isEmail(address), isValid)
  }
})

test('sanitize_url and esc_url clean URLs and reject schemes that are not allowed', () => {
  const pairs: [string, string][] = [
    ['example.com', 'http://example.com'],
    ['http://a.b/x y?q=[1]', 'http://a.b/x%20y?q=%5B1%5D'],
    ['http://[::1]/a[1]', 'http://[::1]/a%5B1%5D'],
    ['http://[::1]:8080/a[1]', 'http://[::1]:8080/a%5B1%5D'],
    ['http://a.b/?to=http://c.d&x[]=1', 'http://a.b/?to=http://c.d&x%5B%5D=1'],
    ['http://a.b/?to=http://a.b&x[]=1', 'http://a.b/?to=http://a.b&x[]=1'],
    ['/login?to=http://a.b&x[]=1', '/login?to=http://a.b&x[]=1'],
    ['/list?x[]=1', '/list?x%5B%5D=1'],
    ['mailto:a?to=y[1]', 'mailto:a?to=y%5B1%5D'],
    ['mailto:a?to=mailto://y[1]', 'mailto:a?to=mailto://y[1]'],
    ['http://a.b:x[1]/', 'http://a.b:x%5B1%5D/'],
    ['//a/b', '//a/b'],
    ['foo.php?x=1', 'foo.php?x=1'],
    ['javascript:alert(1)', ''],
    ['data:text', ''],
    ['a:b', ''],
    ['http://x/%0d%0ay', 'http://x/y'],
    ['http://x/%0%0dd', 'http://x/'],
    ['mailto:a@b.co?body=a%0Ab', 'mailto:a@b.co?body=a%0Ab'],
    ['HTTP://X', 'http://X'],
    ['feed:javascript:x', ''],
    ['feed:0', ''],
  ]
  for (const [url, sanitized] of pairs) assert.equal(sanitizeUrl(url), sanitized)
  assert.equal(escUrl("http://x/?a=1&b='2'"), 'http://x/?a=1&#038;b=&#039;2&#039;')
  const allowed: [protocols: string[], escaped: string][] = [
    [['https'], 'https://example.com'],
    [['https', 'http'], 'https://example.com'],
    [['http', 'https'], 'http://example.com'],
    [['ftp', 'https'], ''],
    [[], ''],
  ]
  for (const [protocols, escaped] of allowed) {
    assert.equal(escUrl('example.com', new Set(protocols)), escaped)
    assert.equal(sanitizeUrl('example.com', new Set(protocols)), escaped)
  }
})

test('IP addresses, UUIDs, dates, MIME types and lists are read as WordPress reads them', () => {
  for (const address of ['1.2.3.4', '001.2.3.4', '::', '::1', '1::', '2001:db8::1.2.3.4', '1:2:3:4:5:6:7:8', 'FE80::A'])
    assert.ok(isIpAddress(address), address)
  for (const address of [
    '',
    '1.2.3',
    '256.1.1.1',
    ':',
    ':::',
    '1:2',
    '1::2::3',
    '12345::',
    'fe80::1%eth0',
    '1.2.3.4::',
    '::01.2.3.4',
    '1:2:3:4:5:6:7:8:9',
  ])
    assert.ok(!isIpAddress(address), address)
  assert.ok(isUuid('123e4567-e89b-12d3-a456-426614174000'))
  assert.ok(!isUuid('123E4567-E89B-12D3-A456-426614174000'))
  assert.equal(parseDate('2024-01-01T00:00:00+02:00'), 1704060000)
  assert.equal(parseDate('2024-01-01T24:00:00'), 1704153600)
  for (const date of ['2024-13-01T00:00:00', '2024-01-01T25:00:00', '2024-01-01', '2024-01-01t00:00:00z', 1])
    assert.equal(parseDate(date), null)
  assert.equal(parseDate('2024-01-01T00:00:00+30'), 1703959200)
  assert.equal(parseDate('2024-01-01T00:00:00+30:00'), null)
  for (const zone of ['', 'Z', '+02', '+0200', '-02:00', '+99:99'])
    assert.equal(parseDate(`2024-01-01T00:00:00${zone}`, true), 1704067200)
  assert.equal(parseDate('2024-01-01T00:00:00Z+02', true), null)
  assert.equal(sanitizeMimeType('image/png; charset=x'), 'image/pngcharsetx')
  assert.deepEqual({ ...parseIdList('3, 1 3,-2 x') }, { 0: 3, 1: 1, 3: 2, 4: 0 })
  // The first of two equal items in the query stays. Keys that are out of order result in a map, not a list.
  const idsOf = (query: string) => parseIdList(parseQuery(query).parameters['a'])
  assert.deepEqual({ ...idsOf('a[1]=5&a[0]=7&a[2]=5') }, { 0: 7, 1: 5 })
  assert.ok(!Array.isArray(idsOf('a[1]=5&a[0]=7')))
  assert.deepEqual(idsOf('a[0]=5&a[1]=7'), [5, 7])
})

test('a file name that is not UTF-8 is read as Windows-1252, or is empty when its extension is not UTF-8', () => {
  const sanitizedBytes = (text: string) => sanitizeFileName(decodeBytes(Buffer.from(text, 'latin1')))
  assert.equal(sanitizedBytes('caf\xe9.jpg'), 'cafe.jpg')
  assert.equal(sanitizedBytes('my files/\x81caf\xe9.jpg'), 'cafe.jpg')
  assert.equal(sanitizedBytes('cafe.\x81jpg'), '')
})

test('every space of Unicode becomes a dash in a file name, and line separators stay', () => {
  const spaces =
    '\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'
  for (const space of spaces) assert.equal(sanitizeFileName(`a${space}b.png`), 'a-b.png')
  assert.equal(sanitizeFileName(`${spaces}a${spaces}b${spaces}.png`), 'a-b-.png')
  for (const character of '\u180e\u200b\u2028\u2029\ufeff')
    assert.equal(sanitizeFileName(`a${character}b.png`), `a${character}b.png`)
})

test('the WordPress functions take their optional arguments', () => {
  const calls: [name: string, args: unknown[], result: unknown][] = [
    ['intval', ['0x1A', 16], 26],
    ['intval', ['0b11', 0], 3],
    ['intval', ['0o17', 8], 0],
    ['intval', ['--9', 36], 0],
    ['intval', ['0x0x1', 16], 0],
    ['intval', ['\u00a07', 8], 0],
    ['wp_is_uuid', ['123e4567-e89b-42d3-a456-426614174000', '4'], true],
    ['wp_is_uuid', ['123e4567-e89b-12d3-a456-426614174000', '4'], false],
    ['wp_is_uuid', ['123e4567-e89b-12d3-a456-426614174000', 'any'], true],
    ['sanitize_html_class', ['%20', 'f b'], 'fb'],
    ['sanitize_html_class', ['%20', '0'], ''],
    ['sanitize_html_class', [['a.b', '%20'], 'f b'], ['ab', '']],
    ['sanitize_mime_type', [['text/html;', 'image/png']], ['text/html', 'image/png']],
    ['esc_html', ['&#X04; &#X41;'], '&amp;#x04; &#x41;'],
    ['esc_html', ['&apos; &quot; &#39;'], '&amp;apos; &quot; &#039;'],
    ['esc_attr', ["'&amp;apos;'"], '&#039;&amp;apos;&#039;'],
    ['wp_kses_post', ['&apos;'], '&apos;'],
    ['wp_kses_post', ['<&apos;'], '&lt;&amp;apos;'],
    ['sanitize_text_field', ['<&apos;'], '&lt;&amp;apos;'],
  ]
  for (const [name, [value, ...otherArguments], result] of calls)
    assert.deepEqual(wordpressFunctions.get(name)?.(value, ...otherArguments), result, name)
})

const tagSoup = fc
  .array(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      ' ',
      '!',
      '-',
      '--',
      '?',
      'xml',
      'doctype',
      '\0',
      '\\',
      '(',
      ')',
      '/',
      'a',
      'script',
      '<script>',
      '%',
      '4',
      '1',
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((parts) => parts.join(''))

test('stripTags leaves no < that could start a tag', () => {
  fc.assert(
    fc.property(tagSoup, (text) => assert.doesNotMatch(stripTags(text), /<(?![ \t\n\v\f\r])/)),
    { numRuns: 3000 },
  )
})

test('sanitize_title is idempotent, and sanitize_text_field leaves no percent-encoded byte', () => {
  fc.assert(
    fc.property(tagSoup, (text) => {
      const slug = sanitizeTitle(text)
      assert.equal(sanitizeTitle(slug), slug)
      assert.doesNotMatch(sanitizeTextField(text), /%[a-f\d]{2}/i)
    }),
    { numRuns: 3000 },
  )
})

test('a sanitised URL has an allowed scheme or none', () => {
  const urls = fc
    .array(
      fc.constantFrom(
        'java',
        'script',
        ':',
        '\t',
        ' ',
        '&#58;',
        '&colon;',
        '/',
        '?',
        '#',
        'http',
        'feed',
        '%0a',
        ';',
        'x',
        '\u0001',
      ),
      { maxLength: 16, size: 'max' },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(urls, (input) => {
      const url = sanitizeUrl(input)
      const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(url) ?? []
      assert.ok(scheme === undefined || allowedProtocols.has(scheme), url)
    }),
    { numRuns: 3000 },
  )
})
