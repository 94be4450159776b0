import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVectors } from '../../conformance/vectors.js'
import { stripAllTags } from './strip-all-tags.js'
import { escAttr, escHtml } from './escape-html.js'
import { sanitizeTextareaField, sanitizeTextField } from './text-field.js'

const functions: Record<string, (value: unknown, ...more: unknown[]) => unknown> = {
  sanitize_text_field: sanitizeTextField,
  sanitize_textarea_field: sanitizeTextareaField,
  esc_html: escHtml,
  esc_attr: escAttr,
  wp_strip_all_tags: (value, joinLines) => stripAllTags(value, joinLines === true),
}

for (const [name, call] of Object.entries(functions)) {
  test(`recorded: ${name}`, () => {
    const failures = readVectors(`functions/${name}`).cases.flatMap(({ id, args, expect }) => {
      const [value, ...more] = args as unknown[]
      const actual = call(value, ...more)
      try {
        assert.deepStrictEqual(actual, expect)
        return []
      } catch {
        return [{ id, args, actual, expected: expect }]
      }
    })
    assert.deepEqual(failures, [])
  })
}
