import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerOfRole } from '../auth/capabilities.js'
import { defaultRoles } from '../auth/default-roles.js'
import { siteFrom } from './site.js'
import { sharedTables } from './wordpress-tasks.js'
import { storedFootnotes } from './footnotes.js'

const shared = sharedTables(() => new Set())
const siteOf = (version: number) => siteFrom(new Map([['db_version', String(version)]]))
const [author, editor] = ['author', 'editor'].map((role) => callerOfRole(role, defaultRoles))
assert.ok(author && editor)

/** What WordPress 6.8.12 and 7.1.4 store for an author. */
const stored: readonly (readonly [sent: string, stored: string])[] = [
  [
    String.raw`[{"content":"<b>a</b><script>x</script>","id":"N 1\"<"}]`,
    String.raw`[{"id":"n1","content":"<b>a<\/b>x"}]`,
  ],
  [
    String.raw`[{"id":"é/x","content":"é/<a href=\"javascript:x\">y</a>"}]`,
    String.raw`[{"id":"x","content":"\u00e9\/<a href=\"x\">y<\/a>"}]`,
  ],
  [
    String.raw`[{"id":"a-B_9.x","content":"1 < 2 & \\ 3 \"q\""}]`,
    String.raw`[{"id":"a-b_9x","content":"1 &lt; 2 &amp; \\ 3 &quot;q&quot;"}]`,
  ],
  ['[{"id":"a","content":"b","other":"c"}]', '[{"id":"a","content":"b"}]'],
  [' {"k":{"id":"a","content":"b"}} ', '[{"id":"a","content":"b"}]'],
  ['[{"id":1,"content":2}]', '[{"id":"1","content":"2"}]'],
  ['[{"id":"a","content":true}]', '[{"id":"a","content":"1"}]'],
  ['[{"id":"a"},{"content":"a"},{"id":"","content":""},{"id":null,"content":null}]', '[]'],
  ['[{"id":["a"],"content":"b"},{"id":{"x":1},"content":"c"}]', '[{"id":"","content":"b"},{"id":"","content":"c"}]'],
  ['[{"id":[],"content":"b"},{"id":"a","content":[]},{"id":"a","content":{}},{"id":{},"content":["c"]}]', '[]'],
  ['[1,null,"x",[{"id":"a","content":"b"}]]', '[]'],
  ['{"a":1}', '[]'],
  ['{}', '[]'],
  ['null', ''],
  ['5', ''],
  ['"x"', ''],
  ['x', ''],
  ['', ''],
]

test('footnotes of a caller without unfiltered_html are stored as by WordPress', () => {
  for (const [sent, text] of stored)
    assert.equal(storedFootnotes(sent, { shared, site: siteOf(55_853), caller: author }), text, sent)
})

test('a note whose content is a list or map, which ends WordPress with an error, is left out', () => {
  const text = '[{"id":"a","content":["<script>"]},{"id":"a","content":{"x":"y"}},{"id":"b","content":"c"}]'
  const kept = '[{"id":"b","content":"c"}]'
  assert.equal(storedFootnotes(text, { shared, site: siteOf(61_833), caller: author }), kept)
})

test('footnotes are stored unchanged for an editor, before WordPress 6.3, and in a database of our own', () => {
  const [[text] = ['']] = stored
  assert.equal(storedFootnotes(text, { shared, site: siteOf(61_833), caller: editor }), text)
  assert.equal(storedFootnotes(text, { shared, site: siteOf(55_852), caller: author }), text)
  assert.equal(storedFootnotes(text, { site: siteFrom(new Map()), caller: author }), text)
})
