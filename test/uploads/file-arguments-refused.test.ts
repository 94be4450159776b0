import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot, endpoint, type StartupError } from 'as-rest-route'
import { temporaryDatabase } from '../support/test-database.js'

test('a file that no request can contain keeps the service from starting', async () => {
  const base = { namespace: 'posters/v1', route: '/wrong', permission: 'public' } as const
  const file = { type: 'file' } as const
  for (const [declaration, code, message] of [
    [{ args: { file } }, 'file-without-post', "argument 'file' is a file, which only the form of a POST contains."],
    [{ method: 'PUT', args: { file } }, 'file-without-post', `The method is 'PUT'.`],
    [
      { method: 'POST', args: { file: { ...file, max_size: 5_000_000 } } },
      'file-unreachable',
      "'max_size' of argument 'file' is 5,000,000 bytes, but a body may have 1,048,576.",
    ],
    [
      { method: 'POST', args: { files: { type: 'array', items: file, maxItems: 21 } } },
      'file-unreachable',
      "'maxItems' of argument 'files' is 21, but a body may have 20 files.",
    ],
    ...[
      [{ ...file, default: 'x' }, "'default' is a value, and only a request contains a file, so"],
      [
        { ...file, enum: ['x'] },
        "'enum' lists values, and no file equals one of them, so it cannot be a rule of a file.",
      ],
      [{ ...file, anyOf: [{ type: 'string' }] }, "'anyOf' is not applied to files, so it cannot be a rule of a file."],
      [{ ...file, oneOf: [{ type: 'string' }] }, "'oneOf' is not applied to files"],
      [
        { type: 'array', items: file, uniqueItems: true },
        "'uniqueItems' compares values, and the contents of files are",
      ],
      [{ type: 'array', items: file, default: ['x'] }, "'default' is a value, and only"],
      [{ type: 'array', items: { ...file, enum: ['x'] } }, "argument 'file', items: 'enum' lists values"],
      [{ ...file, sanitize_callback: 'sanitize_text_field' }, "sanitiser 'sanitize_text_field' cleans texts, so"],
    ].map(
      ([rules, message]) => [{ method: 'POST', args: { file: rules } }, 'file-rule-invalid', String(message)] as const,
    ),
    [
      { method: 'POST', args: { file: { type: ['array', 'string'], items: file } } },
      'file-misplaced',
      "'file' can only be",
    ],
    [
      { method: 'POST', args: { file: { type: ['file', 'string'] } } },
      'file-misplaced',
      "argument 'file': 'file' can only be",
    ],
    [
      { method: 'POST', args: { box: { type: 'object', properties: { file } } } },
      'file-misplaced',
      "argument 'box', properties 'file': ",
    ],
    [
      { method: 'POST', args: { files: { type: 'array', items: { type: 'array', items: file } } } },
      'file-misplaced',
      "argument 'files', items, items: ",
    ],
    [{ responses: { 200: file } }, 'file-misplaced', 'response 200: '],
    [
      { method: 'POST', args: { file: { ...file, media_types: ['png'] } } },
      'rule-invalid',
      "'media_types' must be a list of media types, such as ['image/png', 'audio/*'].",
    ],
    [
      { method: 'POST', args: { file: { ...file, maxLength: 5 } } },
      'rule-without-effect',
      "'maxLength' has no effect without the type string.",
    ],
    [{ args: { text: { type: 'string', max_size: 5 } } }, 'rule-without-effect', "'max_size' has no effect"],
  ] as const) {
    const source = endpoint({ ...base, ...declaration } as never, (() => null) as never)
    await assert.rejects(boot([source], { database: await temporaryDatabase() }), (error: StartupError) => {
      assert.deepEqual([...new Set(error.diagnostics.map((each) => each.code))], [code], error.message)
      assert.ok(error.message.includes(message), error.message)
      return true
    })
  }
})
