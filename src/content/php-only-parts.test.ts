import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phpOnlyParts } from './php-only-parts.js'

const table: readonly [content: string, parts: readonly string[]][] = [
  ['', []],
  ['Plain text, a list [1] and <a href="https://shop.example">a link</a>.', []],
  ['<!-- wp:paragraph -->\n<p>Text</p>\n<!-- /wp:paragraph -->', []],
  ['<!-- wp:paragraph {"align":"center"} -->\n<p>Text</p>\n<!-- /wp:paragraph -->', []],
  ['<!-- wp:paragraph {"style":{"elements":{}}} -->\n<p>Text</p>\n<!-- /wp:paragraph -->', ['block core/paragraph']],
  ['<!-- wp:latest-posts /-->', ['block core/latest-posts']],
  ['<!-- wp:shop/cart {"open":true} /--><!-- wp:shop/cart /-->', ['block shop/cart']],
  ['Before [gallery ids="1,2"] and [caption]x[/caption]', ['shortcode gallery', 'shortcode caption']],
  ['[[gallery]] [a-b] [x/]', ['shortcode gallery', 'shortcode a-b', 'shortcode x']],
  ['Watch:\n\nhttps://video.example/5\n\nNow.', ['embed https://video.example/5']],
  ['<p>https://video.example/5</p>', ['embed https://video.example/5']],
  ['See https://video.example/5 there.', []],
]

for (const [content, parts] of table)
  test(`${JSON.stringify(content.slice(0, 60))} needs ${parts.join(', ') || 'nothing of PHP'}`, () =>
    assert.deepEqual(
      phpOnlyParts(content).map(({ kind, name }) => `${kind} ${name}`),
      parts,
    ))

test('a hostile content of a megabyte is read in linear time', () => {
  for (const piece of ['[', '[a', '<!-- wp:', '<!-- wp:a ', '<p>', 'https://a', '\n \t', '<p>https://', '[aaaaaaa=']) {
    const begun = performance.now()
    phpOnlyParts(piece.repeat(Math.floor(1_000_000 / piece.length)))
    phpOnlyParts(`${piece}${'a'.repeat(1_000_000)}`)
    phpOnlyParts(`${piece}${' '.repeat(1_000_000)}`)
    assert.ok(performance.now() - begun < 8_000, `${piece}: ${performance.now() - begun}`)
  }
})
