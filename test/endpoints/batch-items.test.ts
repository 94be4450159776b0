import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import {
  forgetRuns,
  goodKinds,
  handlerRuns,
  kinds,
  validKinds,
  logins,
  permissionRuns,
  sources,
  ThingsApi,
  type BatchRequest,
  type Item,
  type Login,
  type Values,
} from './batch-kinds.js'
import { openService } from './open-service.js'

const site = await openService([ThingsApi], { rest_default_capability: 'edit_posts' })
after(() => site.close())
const sam = await site.join('sam', 'subscriber')
const mia = await site.join('mia', 'editor')
const headersOf: Record<Login, Readonly<Record<string, string>>> = { '': {}, sam: sam.headers, mia: mia.headers }

const modes = ['normal', 'require-all-validate'] as const
type Mode = (typeof modes)[number]

interface Envelope {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> | null
}

interface BatchResponse {
  readonly failed?: string
  readonly responses: readonly (Envelope | null)[]
}

async function send(requests: readonly BatchRequest[], validation: Mode, login: Login) {
  forgetRuns()
  const { status, body } = await site.call('POST', '/batch/v1', {
    as: headersOf[login],
    json: { validation, requests },
  })
  assert.equal(status, 207)
  const { failed, responses } = body as BatchResponse
  return {
    failed,
    responses,
    handlerRuns: [...handlerRuns],
    sources: [...sources],
    permissionRuns: [...permissionRuns],
  }
}

type Sent = Awaited<ReturnType<typeof send>>

const sentAlone = new Map<string, Promise<Sent>>()

/** A batch of one item. No handler keeps anything, so the same item is sent once. */
function sendAlone(request: BatchRequest, mode: Mode, login: Login): Promise<Sent> {
  const key = JSON.stringify([request, mode, login])
  let sent = sentAlone.get(key)
  if (!sent) sentAlone.set(key, (sent = send([request], mode, login)))
  return sent
}

/** Each item has the response, and causes the runs, that its kind names and that it has alone in a batch. */
async function assertIndependent(items: readonly Item[], mode: Mode, login: Login): Promise<void> {
  const alone: Sent[] = []
  for (const { request } of items) alone.push(await sendAlone(request, mode, login))
  const together = await send(
    items.map(({ request }) => request),
    mode,
    login,
  )
  for (const [index, { status, code, run, isInvalid }] of items.entries()) {
    const own = alone[index]
    const response = own?.responses[0]
    assert.deepEqual([response?.status, response?.body?.['code'] ?? null], [status, code])
    assert.deepEqual(own?.handlerRuns, run === null ? [] : [run])
    assert.equal(own?.failed, isInvalid && mode === 'require-all-validate' ? 'validation' : undefined)
  }
  if (mode === 'require-all-validate' && items.some(({ isInvalid }) => isInvalid)) {
    const responses = items.map(({ isInvalid }, index) => (isInvalid ? alone[index]?.responses[0] : null))
    const nothing = { handlerRuns: [], sources: [], permissionRuns: [] }
    assert.deepEqual(together, { failed: 'validation', responses, ...nothing })
    return
  }
  assert.deepEqual(together, {
    failed: undefined,
    responses: alone.flatMap(({ responses }) => responses),
    handlerRuns: alone.flatMap(({ handlerRuns }) => handlerRuns),
    sources: alone.flatMap(({ sources }) => sources),
    permissionRuns: alone.flatMap(({ permissionRuns }) => permissionRuns),
  })
}

const valuesOf = (id: number): Values => ({
  id,
  word: 'abcdefgh'.charAt(id),
  count: id % 3 === 0 ? undefined : id * 11,
  tags: id % 2 === 0 ? undefined : [`t${id}`, 'u'],
  mark: `mark ${id}`,
  inQuery: id % 2 === 0,
})

const good = Object.values(goodKinds)

for (const [name, kind] of Object.entries(kinds))
  test(`${name} shifts no other item, wherever it stands`, async () => {
    for (const mode of modes) {
      for (const login of logins) {
        for (let position = 0; position <= good.length; position += 1) {
          const items = good.map((kind, index) => kind(valuesOf(index), login))
          items.splice(position, 0, kind(valuesOf(good.length), login))
          await assertIndependent(items, mode, login)
        }
      }
    }
  })

// Shorter than the values that the route `checked` refuses.
const text = fc.stringMatching(/^[a-z]{1,5}$/)
const values: fc.Arbitrary<Values> = fc.record({
  id: fc.nat(9),
  word: text,
  count: fc.option(fc.nat(99), { nil: undefined }),
  tags: fc.option(fc.array(text, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  mark: text,
  inQuery: fc.boolean(),
})

const sequenceOf = (names: readonly string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 25, size: 'max' })
// With one invalid item the mode `require-all-validate` runs none, so half of the sequences have no such item.
const sequences = fc.oneof(sequenceOf(Object.keys(kinds)), sequenceOf(Object.keys(validKinds)))

test('in any sequence of up to 25 items each one is answered as if it was alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      sequences,
      fc.constantFrom(...modes),
      fc.constantFrom(...logins),
      async (sequence, mode, login) => {
        const items = sequence.flatMap(([name, values]) => kinds[name]?.(values, login) ?? [])
        await assertIndependent(items, mode, login)
      },
    ),
    { numRuns: 100 },
  )
})

const unparsable = { path: 'http://127.0.0.1:99999:x' }
const removal = { method: 'DELETE', path: '/items/v1/things/2' }
const creation = { path: '/items/v1/things/5', body: { title: 'Five' } }
const creationRun = {
  handler: 'create',
  login: '',
  method: 'POST',
  route: '/items/v1/things/5',
  mark: null,
  arguments: { id: '5', title: 'Five', count: 7, tags: ['of 7'] },
}

const outcomes = ({ responses }: Sent) =>
  responses.map((response) => response && [response.status, response.body?.['code'] ?? null])

test('an unparsable path does not give the item behind it the permission of a public route', async () => {
  const sent = await send([unparsable, removal, creation], 'normal', '')
  assert.deepEqual(outcomes(sent), [
    [400, 'parse_path_failed'],
    [401, 'rest_forbidden'],
    [200, null],
  ])
  assert.deepEqual(sent.handlerRuns, [creationRun])
})

test('an unparsable path does not give the item behind it the handler of another route', async () => {
  const sent = await send([unparsable, creation, removal], 'normal', '')
  assert.deepEqual(outcomes(sent), [
    [400, 'parse_path_failed'],
    [200, null],
    [401, 'rest_forbidden'],
  ])
  assert.deepEqual(sent.handlerRuns, [creationRun])
})

test('the items of a batch within a batch do not run, whatever the items of the outer one are', async () => {
  const nested = { path: '/batch/v1', body: { requests: [unparsable, creation, removal] } }
  const sent = await send([unparsable, nested, creation, nested], 'normal', 'mia')
  assert.deepEqual(outcomes(sent), [
    [400, 'parse_path_failed'],
    [400, 'rest_batch_not_allowed'],
    [200, null],
    [400, 'rest_batch_not_allowed'],
  ])
  assert.deepEqual(sent.handlerRuns, [{ ...creationRun, login: 'mia' }])
})

test('with require-all-validate an unparsable path stops the items before and behind it', async () => {
  const sent = await send([creation, unparsable, creation], 'require-all-validate', 'mia')
  assert.equal(sent.failed, 'validation')
  assert.deepEqual(outcomes(sent), [null, [400, 'parse_path_failed'], null])
  assert.deepEqual(sent.handlerRuns, [])
})
