import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { endpoint } from '../../src/index.js'
import { startService } from '../support/start-service.js'

const limit = 10_000
const args = {
  numbers: { type: 'array', items: { type: 'integer' } },
  codes: {
    type: 'array',
    items: {
      anyOf: [
        { type: 'integer' },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'null' },
        { type: 'string', pattern: '^[a-z]+[0-9]+$' },
      ],
    },
  },
  either: { type: ['array', 'string'] },
  list: { sanitize_callback: 'wp_parse_list' },
  ids: { sanitize_callback: 'wp_parse_id_list' },
  slugs: { sanitize_callback: 'wp_parse_slug_list' },
} as const
const declaration = { namespace: 'test/v1', route: '/lists', method: 'POST', permission: 'public', args } as const
const site = await startService([endpoint(declaration, () => ({ reached: true }))])
after(() => site.close())

const post = async (body: string | URLSearchParams) => {
  const headers: Record<string, string> = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
  const response = await fetch(`${site.rest}test/v1/lists`, { method: 'POST', headers, body })
  const { data } = (await response.json()) as { data?: { params: Record<string, string> } }
  return [response.status, data?.params]
}

const itemsOf = (count: number) => Array.from({ length: count }, (_, index) => index)

const lists = ['numbers', 'either', 'list', 'ids', 'slugs']

for (const name of lists)
  test(`a text for ${name} has at most 10,000 items`, async () => {
    const refused = [400, { [name]: `${name} must contain at most 10,000 items.` }]
    for (const separator of [',', ' ', ', \t\n']) {
      const textOf = (count: number) => `${separator}${itemsOf(count).join(separator)}${separator}`
      for (const bodyOf of [
        (text: string) => JSON.stringify({ [name]: text }),
        (text: string) => new URLSearchParams({ [name]: text }),
      ]) {
        assert.deepEqual(await post(bodyOf(textOf(limit))), [200, undefined])
        assert.deepEqual(await post(bodyOf(textOf(limit + 1))), refused)
      }
    }
  })

test('a list in JSON has at most 10,000 items for a sanitiser of lists, and no limit of its own elsewhere', async () => {
  const list = itemsOf(limit + 1)
  assert.deepEqual((await post(JSON.stringify({ slugs: list })))[0], 400)
  assert.deepEqual((await post(JSON.stringify({ numbers: list, either: list })))[0], 200)
})

test('half a million separators without items are an empty list', async () => {
  assert.deepEqual(await post(JSON.stringify({ numbers: ','.repeat(500_000), slugs: ' ,'.repeat(200_000) })), [
    200,
    undefined,
  ])
})

const kept = {
  type: 'array',
  items: {
    oneOf: [
      ...Array.from({ length: 9 }, () => ({ type: 'integer' }) as const),
      { type: 'string', pattern: '^[a-z]+[0-9]+$' },
    ],
  },
} as const

for (const validate_callback of [undefined, 'rest_validate_request_arg'] as const)
  test(`a value is validated once by its schema: ${validate_callback ?? 'no validator'}`, async (context) => {
    const rules = { ...kept, ...(validate_callback && { validate_callback }) }
    const sanitised = { ...rules, sanitize_callback: (value: unknown) => value }
    const service = await startService([
      endpoint({ ...declaration, args: { kept: sanitised } }, () => ({})),
      endpoint({ ...declaration, route: '/converted', args: { kept: rules } }, () => ({})),
    ])
    context.after(() => service.close())
    const post = async (path: string, count: number) => {
      const body = JSON.stringify({ kept: Array.from({ length: count }, () => 'ab1') })
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(`${service.rest}test/v1/${path}`, { method: 'POST', headers, body })
      return [response.status, ((await response.json()) as { code?: string }).code]
    }
    assert.deepEqual(await post('lists', 24_000), [200, undefined])
    assert.deepEqual(await post('lists', 49_900), [400, 'rest_params_too_complex'])
    // The conversion of a value to its type looks for its schema of `oneOf` once more.
    assert.deepEqual(await post('converted', 18_000), [200, undefined])
  })

test('values of JSON are validated until that takes too much work', async () => {
  const post = async (count: number) => {
    const body = JSON.stringify({ codes: Array.from({ length: count }, () => 'ab1') })
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(`${site.rest}test/v1/lists`, { method: 'POST', headers, body })
    return [response.status, ((await response.json()) as { code?: string }).code]
  }
  assert.deepEqual(await post(30_000), [200, undefined])
  assert.deepEqual(await post(49_900), [400, 'rest_params_too_complex'])
})
