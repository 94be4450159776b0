import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filteredContent } from './filters.js'

test('references of the Windows character set are corrected before a content is filtered: the filter writes &#0131; as &#131;', () => {
  assert.equal(filteredContent('&#131; &#0131;', false), '&#402; &#131;')
  assert.equal(filteredContent('&#131; &#0131;', true), '&#402; &#0131;')
})
