import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readVectors } from '../../conformance/vectors.js'
import { allowedInData, allowedInPosts, type AllowedTags } from './allowed-tags.js'
import { ksesData, ksesPost } from './kses.js'

test('ksesPost removes forbidden tags and attributes', () => {
  const pairs: [string, string][] = [
    ['Tom & Jerry', 'Tom &amp; Jerry'],
    ['<p onclick="x" class=\'c\'>hi</p>', '<p class="c">hi</p>'],
    ['<br/>', '<br />'],
    ['<B>x</B>', '<B>x</B>'],
    ['&nbsp;&copy;&bogus;&#39;&#x27;', '&nbsp;&copy;&amp;bogus;&#039;&#x27;'],
    ['<a href=http://x target=_blank data-x=1>l</a>', '<a href="http://x" target="_blank" data-x="1">l</a>'],
    ["<a title='it&#039;s &lt;b&gt;'>t</a>", '<a title="it&apos;s &lt;b&gt;">t</a>'],
    ['<img src=x onerror=y>', '<img src="x">'],
    ['5 > 3', '5 &gt; 3'],
    ['<p', '&lt;p'],
    ['a<p \udcff\n', 'a\n'],
    ['<p>a</P >', '<p>a</P>'],
    ['<a href="">x</a><a HREF=x href=y>', '<a href="">x</a><a href="x">'],
    ['<a title="unclosed>x</a>', '<a>x</a>'],
    ['<a download href=x>', '<a download href="x">'],
    ['<a download=y href=x>', '<a href="x">'],
    ['<p data-*=x data-a--b=y data-=z>', '<p data-*="x" data-a--b="y">'],
    ['<p title="a\r\nb\rc&#13;&#10;d">\r\n', '<p title="a\nb\nc\r\nd">\r\n'],
    ['<object data="a.pdf" type="application/pdf">x</object>', '<object>x</object>'],
    ['<object data=x />', ''],
    ['<script>x</script><style>y</style>', 'xy'],
    ['</ odd><!lower x><!DOCTYPE html><![CDATA[x]]><?php x ?>', '</ odd><!lower x>'],
    ['a < b && c > d', 'a <b> d'],
    ['<a href=\\"x\\">y</a>', '<a href="x">y</a>'],
    ['<a title="&lang;&rang;">', '<a title="⟨⟩">'],
  ]
  for (const [html, expected] of pairs) assert.equal(ksesPost(html), expected)
})

test('a closing tag without a name is a comment up to the next >', () => {
  const pairs: [string, string][] = [
    ['a</>', 'a'],
    ['a</>b', 'ab'],
    ['a</>b>c', 'a</&gt;b>c'],
    ['</><b>c</b>', '</&gt;&lt;b>c</b>'],
    ['</><script>alert(1)</script>', '</&gt;&lt;script>alert(1)'],
    ['</></>', '</&gt;&lt;/>'],
    ['</>\n<!-- x -->', '</&gt;\n&lt;!-- x -->'],
    ["</><a title='&apos;'>", '</&gt;&lt;a title=&#039;&amp;apos;&#039;>'],
    ['</ >b>', '</ >b&gt;'],
    ['</1>b', '</1>b'],
  ]
  for (const [html, expected] of pairs) assert.equal(ksesPost(html), expected)
})

test('ksesData allows the tags of titles only', () => {
  const pairs: [string, string][] = [
    ['<p>hi</p>', 'hi'],
    ['<a href=http://x target=_blank>l</a>', '<a href="http://x">l</a>'],
    ['<b class=x>y</b><u>z</u>', '<b>y</b>z'],
    ['<img src=x>', ''],
  ]
  for (const [html, expected] of pairs) assert.equal(ksesData(html), expected)
})

test('schemes that are not allowed are removed from URLs, also when they are disguised', () => {
  const urls = [
    ['javascript:alert(1)', 'alert(1)'],
    ['JaVaScRiPt:alert(1)', 'alert(1)'],
    ['java\tscript:alert(1)', 'alert(1)'],
    ['&#106;avascript&#58;alert(1)', 'alert(1)'],
    ['jav&#x09;ascript&colon;alert(1)', 'alert(1)'],
    ['javascript:javascript:http://x', 'http://x'],
    ['javascript:'.repeat(20), ''],
    ['data:text/html,x', 'text/html,x'],
    ['HTTP://x', 'http://x'],
    ['http://x ', 'http://x '],
    ['https://x?&amp;#58', 'https://x?&amp;#58'],
    ['HTTP://x ', 'http://x'],
    ['mailto:a@b.co', 'mailto:a@b.co'],
    ['/path?x=1', '/path?x=1'],
  ] as const
  for (const [url, expected] of urls) {
    assert.equal(ksesPost(`<a href="${url}">`), `<a href="${expected}">`)
  }
})

test('style attributes have allowed properties and functions only', () => {
  const styles = [
    ['color: red;; position:fixed; ', 'color: red;position:fixed'],
    ['color: red; ; position:fixed;', 'color: red;;position:fixed'],
    ['0', null],
    ['font-family:&quot;A b&quot;', 'font-family:&quot;A b&quot;'],
    ['COLOR:red', null],
    ['behavior:url(x)', null],
    ['color:expression(alert(1))', null],
    ['width:calc(100% - (2 * var(--x)))', 'width:calc(100% - (2 * var(--x)))'],
    ['width:calc(1', null],
    ['background:url(http://x/y.png) red', 'background:url(http://x/y.png) red'],
    ["background:url('javascript:x')", null],
    ['background:url()', null],
  ] as const
  for (const [style, expected] of styles) {
    assert.equal(
      ksesPost(`<p style="${style}">`),
      expected === null ? '<p>' : `<p style="${expected.replaceAll("'", '&apos;')}">`,
    )
  }
})

test('a style that loses a declaration is escaped like other text', () => {
  const pairs: [string, string][] = [
    [`<p style="font-family:'A'">`, '<p style="font-family:&apos;A&apos;">'],
    [`<p style="font-family:'A';">`, '<p style="font-family:&#039;A&#039;">'],
    [`<p style="q:y;background:url('a?b&amp;c')">`, '<p style="background:url(&#039;a?b&amp;c&#039;)">'],
    ['<p style=\'background:url("a");\'>', '<p style="background:url(&quot;a&quot;)">'],
    ['<p style="font-family:\udcff">', '<p style="font-family:\udcff">'],
    ['<p style="font-family:\udcff;">', '<p style="">'],
  ]
  for (const [html, expected] of pairs) assert.equal(ksesPost(html), expected)
})

test('comments are filtered, and block comments are written as the editor writes them', () => {
  const pairs: [string, string][] = [
    ['<!-- more -->', '<!-- more -->'],
    ['<!-- a > <script>b</script> --x- -->', '<!-- a &gt; b -x- -->'],
    ['<!--[if mso]><p class=x>y</p><![endif]-->', '<!--[if mso]&gt;<p class="x">y</p>&lt;![endif]-->'],
    ['<!--[if mso]>\n<p>y</p>\n<![endif]-->', '<!--[if mso]&gt;-->\n<p>y</p>\n'],
    ['<!-- a\nb -->', '<!-- a\nb -->'],
    ['<!-- a --->', '<!-- a -->'],
    ['<!-- a > b', '<!-- a &gt; b-->'],
    ['<!----><!--- --->', '<!--- -->'],
    ['<!-- a ----><!-- b -->', '<!-- a --><!-- b -->'],
    ['<!-- wp:paragraph {"a":"b"} -->', '<!-- wp:paragraph {"a":"b"} /-->'],
    ['<!-- wp:core/paragraph --><p>b</p><!-- /wp:paragraph -->', '<!-- wp:paragraph --><p>b</p><!-- /wp:paragraph -->'],
    ['<!-- wp:my/x {"a":{"0":"\\u003cscript\\u003ey--"}} /-->', '<!-- wp:my/x {"a":["y\\u002d\\u002d"]} /-->'],
    [
      '<!-- wp:x {"a":"\\u003cimg src=x onerror=y\\u003e"} /-->',
      '<!-- wp:x {"a":"\\u003cimg src=\\u0022x\\u0022\\u003e"} /-->',
    ],
    ['<!-- wp:x {broken} -->y', '<!-- wp:x -->y<!-- /wp:x -->'],
    ['<!-- wp:x --><script></script><!-- /wp:x -->', '<!-- wp:x --><!-- /wp:x -->'],
    ['<!-- wp:x --><!-- /wp:x -->', '<!-- wp:x /-->'],
    ['0<!-- wp:x -->0<!-- wp:y -->0<!-- /wp:y --><!-- /wp:x -->0', '0<!-- wp:x --><!-- wp:y /--><!-- /wp:x -->0'],
    ['<!-- /wp:x --><!-- wp:core/y {} /-->', '<!-- /wp:x --><!-- wp:core/y {} /-->'],
    ['<!-- wp:x {"0":"a"} /-->', '<!-- wp:x ["a"] /-->'],
    ['<!-- wp:x --><!-- wp:y -->z', '<!-- wp:x --><!-- wp:y -->z<!-- /wp:y --><!-- /wp:x -->'],
    ['<!-- /wp:x -->y', '<!-- /wp:x -->y'],
    ['<!-- wp:x {"a":"\\ud800"} /-->', '<!-- wp:x /-->'],
    // WordPress reads attributes up to the end of the second block, and drops the text before it.
    ['<!-- wp:x {"a":1} --x-->y<!-- wp:z {} -->', '<!-- wp:x {"a":1} -x-->y<!-- wp:z /-->'],
  ]
  for (const [html, expected] of pairs) assert.equal(ksesPost(html), expected)
})

test('numbers in the attributes of a block are written as PHP writes them', () => {
  const pairs: [string, string][] = [
    ['{"a":1.0,"b":[10.50,1e2,-0,-0.0]}', '{"a":1,"b":[10.5,100,0,-0]}'],
    ['{"a":0.00001,"b":1e16,"c":1e17,"d":1.5e300}', '{"a":1.0e-5,"b":10000000000000000,"c":1.0e+17,"d":1.5e+300}'],
    ['{"a":9007199254740993,"b":-9223372036854775808}', '{"a":9007199254740993,"b":-9223372036854775808}'],
    ['{"a":9223372036854775808}', '{"a":9.223372036854776e+18}'],
    ['{"a":"1.0"}', '{"a":"1.0"}'],
    ['{"a":true,"b":null,"c":{}}', '{"a":true,"b":null,"c":[]}'],
  ]
  for (const [attributes, expected] of pairs)
    assert.equal(ksesPost(`<!-- wp:x ${attributes} /-->`), `<!-- wp:x ${expected} /-->`)
})

test('an infinite number among the attributes of a block leaves a blank in their place', () => {
  assert.equal(ksesPost('<!-- wp:x {"a":1e400,"b":1} -->y<!-- /wp:x -->'), '<!-- wp:x  -->y<!-- /wp:x -->')
  assert.equal(ksesPost('<!-- wp:x {"a":[-1e400]} /-->'), '<!-- wp:x  /-->')
})

test('attributes of a block have at most 511 levels', () => {
  const nested = (depth: number) => `<!-- wp:x {"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}} /-->`
  assert.equal(ksesPost(nested(511)), nested(511))
  assert.equal(ksesPost(nested(512)), '<!-- wp:x /-->')
})

/** Fragments of HTML whose combinations are likely to break a filter. */
const pieces = [
  '<', '>', '/', '!', '-', '--', '<!--', '-->', '</', '<p', '<a href=', '<b>', '</b>', '<script', '<img src=', '<!a', '<!A', '<?', ']]>',
  ' ', '\n', '\t', '=', '"', "'", '`', '&', ';', '#', 'amp;', 'lt;', '#60;', '#x3c;', '#38;', 'apos;', 'javascript:', 'java', 'script', ':', '58;',
  'onclick=', 'style=', 'color:red;', 'url(', ')', 'calc(', '\\', '0', '{', '}', '<!-- wp:a ', '<!-- /wp:a -->', '<!-- wp:a {"k":"', '"} -->', '/-->',
  '\u0000', '\u0001', '\udcff', 'é', 'title=', 'x', 'feed:', 'http://', '<object data=x', ' download', 'data-x', '<!-- ', ' -->', 'wp:b ',
] // prettier-ignore
const htmlOf = (parts: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength: 24, size: 'max' }).map((fragments) => fragments.join(''))
const html = fc.oneof(htmlOf(pieces), fc.string({ unit: 'binary' }))
/** HTML without comments, styles and backslashes, which a second pass may change. */
const plainHtml = htmlOf(pieces.filter((piece) => !/[!\\]|style/.test(piece)))

for (const [name, filter, allowed] of [
  ['post', ksesPost, allowedInPosts],
  ['data', ksesData, allowedInData],
] as const) {
  test(`a second pass leaves HTML without comments, styles and backslashes unchanged: ${name}`, () => {
    fc.assert(
      fc.property(plainHtml, (text) => {
        const filtered = filter(text)
        assert.equal(filter(filtered), filtered)
      }),
      { numRuns: 3000 },
    )
  })

  test(`one pass and two passes leave only allowed tags and attributes: ${name}`, () => {
    fc.assert(
      fc.property(html, (text) => {
        const filtered = filter(text)
        assertAllowed(filtered, allowed)
        assertAllowed(filter(filtered), allowed)
      }),
      { numRuns: 3000 },
    )
  })
}

/** Reads the result like a browser that knows no comments, which finds the largest number of tags. */
function assertAllowed(text: string, allowed: AllowedTags): void {
  for (const [, name = '', source = ''] of text.matchAll(/<\/?([a-zA-Z][^\s/>]*)((?:"[^"]*"|[^">])*)>?/g)) {
    const attributes = allowed.get(name.toLowerCase())
    assert.ok(attributes, `<${name}> in ${text}`)
    for (const [, attribute = '', value = ''] of source.matchAll(/([^\s"'>/=]+)(?:="([^"]*)")?/g)) {
      assert.ok(attributes.has(attribute) || /^data-[a-z0-9_-]+$/.test(attribute), `${attribute} in ${text}`)
      assert.doesNotMatch(value, /[<>]/)
      if (attribute === 'href' || attribute === 'src') assert.doesNotMatch(value.replace(/\s/g, ''), /^javascript:/i)
    }
  }
}

test('60 blocks nested in each other’s attributes are filtered in linear time', () => {
  const escaped = (text: string) => text.replace(/["\\<>]/g, (match) => `\\u00${match.charCodeAt(0).toString(16)}`)
  const nested = (depth: number): string => `<!-- wp:a {"k":"${depth === 0 ? '' : escaped(nested(depth - 1))}"} -->`
  const start = performance.now()
  assert.match(ksesPost(nested(60)), /^<!-- wp:a .* \/-->$/)
  assert.ok(performance.now() - start < 10_000)
})

test('large texts are filtered in linear time', () => {
  // Processor time: on a busy machine a second of it takes many seconds. In quadratic time it would be minutes.
  const start = process.cpuUsage()
  const bodies = [
    ...pieces, '<a ', '<a x="', '<!-- > ', '<!-- wp:a {-->', '<!-- wp:a -->', '<!-- wp:a --><b>', '<a style="url(">', '&#0', '&a', '<p title="&amp;">',
  ] // prettier-ignore
  for (const body of bodies) ksesPost(body.repeat(200_000 / body.length))
  ksesPost(`<p style="color:${'a'.repeat(500_000)}${'('.repeat(1000)}">`)
  ksesPost(`<p style="background:${'url('.repeat(100_000)}">`)
  ksesPost(`${'<!-- wp:a {-->'.repeat(20_000)}} -->`)
  ksesPost(`${'<!-- wp:a {>'.repeat(60_000)}--> } -->`)
  ksesPost(`${'<!-- >'.repeat(60_000)}\n-->\n`)
  ksesPost(`<!-- > ${'<!<!----'.repeat(40_000)}${'-->'.repeat(40_000)}`)
  ksesPost(`${'<!'.repeat(100_000)}${'--'.repeat(100_000)}>`)
  ksesPost(`${'<!-- wp:a -->'.repeat(20_000)}x${'<!-- /wp:a -->'.repeat(20_000)}`)
  ksesPost(`<a href="${'a'.repeat(500_000)}:${'b:'.repeat(100_000)}">`)
  ksesPost(`<a style="${'\\'.repeat(400_000)}" href="${'\\'.repeat(400_000)}">`)
  assert.ok(process.cpuUsage(start).user < 10_000_000)
})

test('titles and contents are filtered as in conformance/recorded/vectors/records-html.json', () => {
  const failures = readVectors('records-html').cases.flatMap(
    ({ id, html: source, unfiltered_html: isUnfiltered, expect }) => {
      if (isUnfiltered !== false || typeof source !== 'string') return []
      const { row } = expect as { row: { post_content: string; post_title: string } }
      const actual = { post_content: ksesPost(source), post_title: ksesData(source.trim()) }
      return actual.post_content === row.post_content && actual.post_title.trim() === row.post_title
        ? []
        : [{ id, source, actual, row }]
    },
  )
  assert.deepEqual(failures, [])
})
