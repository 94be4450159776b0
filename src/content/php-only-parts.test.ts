import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ContentRenderer } from './content-renderer.js'
import { phpOnlyParts } from './php-only-parts.js'

const named = (content: string, type = 'post'): string[] =>
  phpOnlyParts({ type, content }).map(({ kind, name }) => `${kind} ${name}`)

const table: readonly [content: string, parts: readonly string[]][] = [
  ['', []],
  ['Plain text, a list [1] and <a href="https://shop.example">a link</a>.', []],
  ['<!-- wp:paragraph -->\n<p>Text</p>\n<!-- /wp:paragraph -->', []],
  ['<!-- wp:paragraph {"align":"center"} -->\n<p>Text</p>\n<!-- /wp:paragraph -->', []],
  ['<!-- wp:paragraph {"style":{}} -->\n<p>Text</p>\n<!-- /wp:paragraph -->', ['block core/paragraph']],
  ['<!-- wp:paragraph {"metadata":{}} -->\n<p>Text</p>\n<!-- /wp:paragraph -->', ['block core/paragraph']],
  ['<!-- wp:paragraph -->\nText\n<!-- /wp:paragraph -->', ['block core/paragraph']],
  ['<!-- wp:latest-posts /-->', ['block core/latest-posts']],
  ['<!-- wp:shop/cart {"open":true} /--><!-- wp:shop/cart /-->', ['block shop/cart']],
  ['<!-- wp:paragraph -->\n<p>Text</p>', ['element <!--']],
  ['Before <!--more--> after', ['element <!--']],
  ['Before [gallery ids="1,2"] and [caption]x[/caption]', ['shortcode gallery', 'shortcode caption', 'typography "']],
  ['[gallery=1] [[gallery]] [a-b] [x/] [/y]', ['shortcode gallery', 'shortcode a-b', 'shortcode x', 'shortcode y']],
  ['Watch:\n\nhttps://video.example/5\n\nNow.', ['embed https://video.example/5']],
  ['<p>https://video.example/5</p>', ['embed https://video.example/5']],
  ['See https://video.example/5 there.', []],
  ['<a href="/5">https://video.example/5</a>', []],
  ['<img src="a.png"> <div>x</div>', ['element img', 'element div']],
  ['<p>One</p> two', ['element p']],
  ["It's 5 < 6...", ['element <', "typography '", 'typography ...']],
  ['Fine :) and :lol:', ['smiley :)', 'smiley :lol:']],
  ['At http://a.example/b now', ['link http://a.example/b']],
  ['<a href="/5" title="The Wordpress">x</a>', ['typography Wordpress']],
  ['One<p/>two', ['element p']],
  ['<!-- wp:code {"className":"wp-elements-1"} --><pre>x</pre><!-- /wp:code -->', ['block core/code']],
]

for (const [content, parts] of table)
  test(`${JSON.stringify(content.slice(0, 60))} needs ${parts.join(', ') || 'nothing of PHP'}`, () =>
    assert.deepEqual(named(content), parts))

test('a file is shown before its content', () => assert.deepEqual(named('', 'attachment'), ['attachment attachment']))

test('paragraphs have a class since WordPress 7.0', () => {
  const render = (html: string, dbVersion: number): string | null =>
    new ContentRenderer({ dbVersion }).render({
      type: 'post',
      content: `<!-- wp:paragraph -->\n${html}\n<!-- /wp:paragraph -->`,
    })
  assert.equal(render('<p>Text</p>', 60_717), '\n<p>Text</p>\n')
  for (const version of [61_833, Infinity]) {
    assert.equal(render('<p>Text</p>', version), '\n<p class="wp-block-paragraph">Text</p>\n')
    assert.equal(render('<p class="a b">Text</p>', version), '\n<p class="a b wp-block-paragraph">Text</p>\n')
    const stored = '<p class="wp-block-paragraph">Text</p>'
    assert.equal(render(stored, version), `\n${stored}\n`)
    assert.equal(render("It's", version), null)
  }
})

test('a hostile content of a megabyte is read in linear time', () => {
  const blocks = ['<!-- wp:', '<!-- wp:a ', '<!-- wp:paragraph {"a":{} ', '<!-- wp:paragraph -->', '<!--']
  const stored = '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->'
  const tags = [
    '<p>',
    '<p a a a',
    '<p a="',
    '</p>',
    '<p>a\n',
    '<',
    'https://a',
    '<p>https://',
    '&amp',
    'a \n',
    '\n \t',
    '>https://a ',
  ]
  for (const piece of [...blocks, stored, ...tags, '[', '[a', '[aaaaaaa=', ':', '-', '8']) {
    const begun = performance.now()
    named(piece.repeat(Math.floor(1_000_000 / piece.length)))
    for (const filling of ['a', ' ', '\n', '}']) named(`${piece}${filling.repeat(1_000_000)}x`)
    assert.ok(performance.now() - begun < 8_000, `${piece}: ${performance.now() - begun}`)
  }
})
