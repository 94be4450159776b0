import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { FormCollector, parseMultipart } from './multipart.js'
import { ReceivedFile } from './uploaded-file.js'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const read = (body: string, contentType = 'multipart/form-data; boundary=X') => parseMultipart(bytes(body), contentType)
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
/** Files with their bytes as text. */
async function withContents(value: unknown): Promise<unknown> {
  if (value instanceof ReceivedFile) return Buffer.from(await value.bytes()).toString('latin1')
  if (Array.isArray(value)) return Promise.all(value.map(withContents))
  if (typeof value !== 'object' || value === null) return value
  const members = await Promise.all(Object.entries(value).map(async ([key, inner]) => [key, await withContents(inner)]))
  return Object.fromEntries(members) as unknown
}
const part = (disposition: string, value: string, headers = ''): string =>
  `--X\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n${value}\r\n`
const end = '--X--\r\n'

const fields: [description: string, body: string, expected: unknown][] = [
  ['a field', part('name="a"', '1') + end, { a: '1' }],
  ['a name without quotes', part('name=a', '1') + end, { a: '1' }],
  ['escaped quotes in a name', part('name="a\\"b\\\\c\\d"', '1') + end, { 'a"b\\c\\d': '1' }],
  ['single quotes', part("name='a\\'b'", '1') + end, { "a'b": '1' }],
  ['a semicolon in quotes', part('name="a;b"; x=y', '1') + end, { 'a;b': '1' }],
  ['a quote that is not closed', part('name="a', '1') + end, { a: '1' }],
  ['a name without quotes and a blank', part('name=a b', '1') + end, { a: '1' }],
  ['a blank before the equals sign', part('name ="a"', '1') + end, {}],
  ['a disposition that starts with the name', '--X\r\nContent-Disposition: name="a"\r\n\r\n1\r\n--X--', { a: '1' }],
  ['a blank before the colon', '--X\r\nContent-Disposition : form-data; name="a"\r\n\r\n1\r\n--X--', {}],
  [
    'two dispositions',
    '--X\r\nContent-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"\r\n\r\n1\r\n--X--',
    { a: '1' },
  ],
  ['brackets', part('name="a[b]"', '1') + part('name="c[]"', '2') + end, { a: { b: '1' }, c: ['2'] }],
  ['a dot in a name', part('name="a.b c"', '1') + end, { a_b_c: '1' }],
  ['percent signs and plus', part('name="a%20b+c"', '1%20+') + end, { 'a%20b+c': '1%20+' }],
  ['an empty value', part('name="a"', '') + end, { a: '' }],
  ['line ends in a value', part('name="a"', '1\r\n2\r') + end, { a: '1\r\n2\r' }],
  ['NUL and bytes that are not UTF-8', part('name="a"', 'a\0b\xff') + end, { a: 'a\0b\udcff' }],
  ['UTF-8', part('name="\xc3\xa9"', '\xc3\xa9') + end, { é: 'é' }],
  ['bare line feeds', (part('name="a"', '2\n3') + end).replaceAll('\r', ''), { a: '2\n3' }],
  ['text before the first part', `hello\r\n${part('name="a"', '1')}${end}`, { a: '1' }],
  ['a folded header', '--X\r\nContent-Disposition: form-data;\r\n name="a"\r\n\r\n1\r\n--X--', { a: '1' }],
  ['headers in any case', '--X\r\ncontent-disposition: FORM-DATA; NAME="a"\r\n\r\n1\r\n--X--', { a: '1' }],
  ['two names', part('name="a"; name="b"', '1') + end, { b: '1' }],
  ['a name twice', part('name="a"', '1') + part('name="a"', '2') + end, { a: '2' }],
  ['a part without a name', part('name="a"', '1') + part('x="a"', '1') + part('name="b"', '2') + end, { a: '1' }],
  [
    'a part without a disposition',
    `--X\r\nContent-Type: text/plain\r\n\r\n1\r\n${part('name="b"', '2')}${end}`,
    { b: '2' },
  ],
  ['no last boundary', part('name="a"', '1'), { a: '1' }],
  ['a value that is cut off', '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n12', { a: '12' }],
  ['headers that are cut off', '--X\r\nContent-Disposition: form-data; name="a"', {}],
  ['no boundary line at all', 'a=1&b=2', {}],
  ['a boundary inside a line', 'zz--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--X--', {}],
  [
    'a line that only starts like the boundary',
    part('name="a"', '2\r\n--XY\r\n3') + part('name="c"', '4') + end,
    { a: '2', c: '4' },
  ],
  ['headers without a boundary line', 'abc\nContent-Disposition: form-data; name="a"\n\n1', {}],
  ['an empty part', `--X\r\n\r\n${part('name="a"', '1')}${end}`, { a: '1' }],
  ['an empty body', '', {}],
]
for (const [description, body, expected] of fields)
  test(`a form with ${description} has the fields ${JSON.stringify(expected)}`, () => {
    const { fields, files, problem } = read(body)
    assert.deepEqual(plain(fields), expected)
    assert.deepEqual([plain(files), problem], [{}, null])
  })

for (const contentType of [
  'multipart/form-data; boundary="X"',
  'multipart/form-data; boundary=X; charset=utf-8',
  'multipart/form-data; boundary=X,foo',
  'Multipart/Form-Data; BOUNDARY=X',
  'multipart/form-data boundary=X',
  'multipart/form-data; Boundary=Y; boundary=X',
])
  test(`the boundary is read from ${contentType}`, () => {
    assert.deepEqual(plain(read(part('name="a"', '1') + end, contentType).fields), { a: '1' })
  })

for (const contentType of [
  'multipart/form-data',
  'multipart/form-data; boundary= X',
  'multipart/form-data; boundary="X',
])
  test(`the form is empty when ${contentType} does not have the boundary of the body`, () => {
    assert.deepEqual(plain(read(part('name="a"', '1') + end, contentType).fields), {})
  })

const file = (name: string, content: string, overrides: object = {}): object => ({
  name,
  type: '',
  size: content.length,
  error: 0,
  file: content,
  ...overrides,
})
const uploads: [description: string, body: string, expected: unknown][] = [
  [
    'a file',
    part('name="f"; filename="a.txt"', 'hello', 'Content-Type: text/plain; charset=utf-8\r\n') + end,
    { f: file('a.txt', 'hello', { type: 'text/plain' }) },
  ],
  ['a file without a type', part('name="f"; filename="a.txt"', 'he\xff') + end, { f: file('a.txt', 'he\xff') }],
  ['an empty file', part('name="f"; filename="a"', '') + end, { f: file('a', '') }],
  ['no file selected', part('name="f"; filename=""', '') + end, { f: file('', '', { error: 4, file: null }) }],
  [
    'a file that is cut off',
    '--X\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n12',
    { f: file('a', '', { error: 3, file: null }) },
  ],
  ['a name with Windows folders', part('name="f"; filename="C:\\\\x\\\\a.txt"', '') + end, { f: file('a.txt', '') }],
  ['a name with folders', part('name="f"; filename="../b/c.txt"', '') + end, { f: file('c.txt', '') }],
  [
    'a list of files',
    part('name="f[]"; filename="a"', '1') + part('name="f[]"; filename="b"', '22') + end,
    { f: { name: ['a', 'b'], type: ['', ''], size: [1, 2], error: [0, 0], file: ['1', '22'] } },
  ],
  [
    'a map of files',
    part('name="f[k]"; filename="a"', '1') + part('name="f[l][m]"; filename="b"', '22') + end,
    {
      f: {
        name: { k: 'a', l: { m: 'b' } },
        type: { k: '', l: { m: '' } },
        size: { k: 1, l: { m: 2 } },
        error: { k: 0, l: { m: 0 } },
        file: { k: '1', l: { m: '22' } },
      },
    },
  ],
  ['a name with dots', part('name="f.g h"; filename="a"', '1') + end, { f_g_h: file('a', '1') }],
  [
    'a name twice',
    part('name="f"; filename="a"', '1') + part('name="f"; filename="b"', '22') + end,
    { f: file('b', '22') },
  ],
  [
    'a name with brackets that do not pair',
    part('name="f[a"; filename="a"', '1') + part('name="f[a]b"; filename="b"', '1') + end,
    {},
  ],
  ['a NUL in the name', part('name="f\0g"; filename="a"', '1') + end, { f: file('a', '1') }],
]
for (const [description, body, expected] of uploads)
  test(`an upload is read like in PHP: ${description}`, async () => {
    const { fields, files, problem } = read(body)
    assert.deepEqual(await withContents(files), expected)
    assert.deepEqual([plain(fields), problem], [{}, null])
  })

test('a field and a file may share a name', async () => {
  const { fields, files } = read(part('name="f"; filename="a"', '1') + part('name="f"', 'v') + end)
  assert.deepEqual([plain(fields), await withContents(files)], [{ f: 'v' }, { f: file('a', '1') }])
})

const limits: [description: string, code: string | undefined, body: string, contentType?: string][] = [
  ['1000 fields', undefined, part('name="a[]"', '1').repeat(1000)],
  ['1001 fields', 'rest_too_many_params', part('name="a[]"', '1').repeat(1001)],
  ['1001 parts without a disposition', 'rest_too_many_params', '--X\r\nx: y\r\n\r\n1\r\n'.repeat(1001)],
  ['as many files as there may be', undefined, part('name="a[]"; filename="a"', '1').repeat(1000)],
  ['one file more', 'rest_too_many_files', part('name="a[]"; filename="a"', '1').repeat(1001)],
  ['10,000 files', 'rest_too_many_files', part('name="a[]"; filename="a"', '1').repeat(10_000)],
  ['a field of 1 MiB', undefined, part('name="a"', 'x'.repeat(1_048_576))],
  ['fields of more than 1 MiB', 'rest_invalid_multipart', part('name="a"', 'x'.repeat(524_289)).repeat(2)],
  ['headers of the greatest size', undefined, part('name="a"', '1', `x: ${'y'.repeat(8144)}\r\n`)],
  ['headers of one byte more', 'rest_invalid_multipart', part('name="a"', '1', `x: ${'y'.repeat(8145)}\r\n`)],
  ['65 brackets', 'rest_params_too_deep', part(`name="a${'[x]'.repeat(65)}"`, '1')],
  ['long headers', 'rest_invalid_multipart', part('name="a"', '1', `x: ${'y'.repeat(9000)}\r\n`)],
  ['a long boundary', 'rest_invalid_multipart', '', `multipart/form-data; boundary=${'x'.repeat(71)}`],
]
for (const [description, code, body, contentType] of limits)
  test(`a form with ${description} is ${code === undefined ? 'accepted' : `rejected with ${code}`}`, () => {
    const { problem } = read(body, contentType)
    assert.equal(problem?.code, code)
    if (problem) assert.deepEqual(problem.data, { status: 400 })
  })

/** The text of a body that comes in pieces, and the bytes of each file. */
async function readPieces(pieces: readonly string[]): Promise<unknown> {
  const collector = new FormCollector('multipart/form-data; boundary=X', { files: 20, createFile: null })
  for (const each of pieces) collector.push(bytes(each))
  const { fields, files, problem } = collector.end()
  return [plain(fields), await withContents(files), problem?.code ?? null]
}

const anyPiece = fc.constantFrom(
  '--X',
  '\r\n',
  '\n',
  '\r',
  '\r\n--X\r\n',
  'Content-Disposition: form-data; name=',
  '"a"',
  'a[]',
  '; filename="b"',
  '\r\n\r\n',
  '--',
  '-',
  ':',
  '\xff',
  '\0',
  `x: ${'y'.repeat(8190)}`,
)

test('a body gives the same form, however it is divided into pieces', async () => {
  const { fields, files } = read(part('name="a"', '1\r') + part('name="f"; filename="f"', '2\r\n--') + end)
  assert.deepEqual([plain(fields), await withContents(files)], [{ a: '1\r' }, { f: file('f', '2\r\n--') }])
  const property = fc.asyncProperty(
    fc.array(anyPiece, { maxLength: 30 }),
    fc.array(fc.nat({ max: 200 }), { maxLength: 20 }),
    async (content, lengths) => {
      const whole = `--X\r\n${content.join('')}`
      const pieces: string[] = []
      let rest = whole
      for (const length of lengths) {
        pieces.push(rest.slice(0, length))
        rest = rest.slice(length)
      }
      const expected = await readPieces([whole])
      assert.deepEqual(await readPieces([...pieces, rest]), expected)
      assert.deepEqual(await readPieces(Array.from(whole)), expected)
    },
  )
  await fc.assert(property, { numRuns: 300 })
})

test('any bytes are read without an exception', () => {
  const piece = fc.constantFrom(
    '--X',
    '\r\n',
    '\n',
    '\r',
    'Content-Disposition: form-data; name=',
    '"a"',
    'a[]',
    '; filename="b"',
    '--',
    ':',
    '\xff',
    '\0',
  )
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void read(pieces.join(''))))
})
