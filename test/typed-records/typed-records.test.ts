import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  boot,
  defineContent,
  endpoint,
  RecordRejectedError,
  RecordStore,
  UndeclaredNameError,
} from '../../src/index.js'
import type { NewRecord, RecordChange, SeedTools, Service, Terms } from '../../src/index.js'
import { storeKinds } from '../support/store-kinds.js'

const content = defineContent({
  record_types: {
    event: {
      statuses: ['sold_out'],
      taxonomies: ['kind'],
      meta: {
        capacity: { type: 'integer', minimum: 0, maximum: 500 },
        points: { type: 'integer' },
        price: { type: 'number', default: 5 },
        level: { type: 'string', enum: ['easy', 'hard'] },
        code: { type: 'string', pattern: '^[A-Z]{3}$' },
        open: { type: 'boolean' },
        doors: { type: 'string', format: 'date-time' },
        contact: { type: 'string', format: 'email' },
        days: { type: 'array', items: { type: 'string', format: 'date-time' } },
        tags: { type: 'array', items: { type: 'string', minLength: 2 }, maxItems: 3 },
        prices: {
          type: 'array',
          items: { type: 'object', properties: { amount: { type: 'number' } }, additionalProperties: false },
        },
        place: {
          type: 'object',
          properties: { city: { type: 'string', required: true } },
          additionalProperties: false,
        },
      },
    },
    note: {},
  },
  user_meta: {
    card: { type: 'string', pattern: '^[0-9]{8}$' },
    points: { type: 'integer', default: 0 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  term_meta: { colour: { type: 'string', format: 'hex-color' }, order: { type: 'integer', default: 1 } },
  site_options: {
    loan_days: { type: 'integer', minimum: 1, default: 21 },
    closed: { type: 'boolean' },
    hours: {
      type: 'object',
      properties: { monday: { type: 'array', items: { type: 'integer' } }, pause: { type: 'number' } },
    },
  },
})

/** Metadata as it is written, and as it comes back. */
const converted: readonly [written: Record<string, unknown>, read: Record<string, unknown>][] = [
  [{ capacity: 12 }, { capacity: 12 }],
  [{ capacity: '12' }, { capacity: 12 }],
  [{ points: -9007199254740991 }, { points: -9007199254740991 }],
  [{ price: '12.50' }, { price: 12.5 }],
  // The default of price is 5.
  [{ price: null }, { price: 5 }],
  [{ capacity: null, level: null, open: null, tags: null, place: null }, {}],
  [{ level: 'hard' }, { level: 'hard' }],
  [{ open: 'false' }, { open: false }],
  [{ open: 1 }, { open: true }],
  [{ tags: ['ab', 'cd'] }, { tags: ['ab', 'cd'] }],
  [{ tags: 'ab,cd' }, { tags: ['ab', 'cd'] }],
  [{ place: { city: 'Rome' } }, { place: { city: 'Rome' } }],
  [{ code: undefined }, {}],
]

const refusedValues: readonly [meta: Record<string, unknown>, message: string][] = [
  [{ capacity: 'many' }, 'meta.capacity is not of type integer.'],
  [{ capacity: 1.5 }, 'meta.capacity is not of type integer.'],
  [{ points: 1e300 }, 'meta.points is 1e+300, which is not from -(2^53 - 1) to 2^53 - 1.'],
  [{ points: '9007199254740993' }, 'meta.points is 9007199254740992, which is not from -(2^53 - 1) to 2^53 - 1.'],
  [{ capacity: -1 }, 'meta.capacity must be between 0 (inclusive) and 500 (inclusive)'],
  [{ price: Number.NaN }, 'meta.price is NaN, which is not a finite number.'],
  [{ price: Infinity }, 'meta.price is Infinity, which is not a finite number.'],
  [{ price: '1e999' }, 'meta.price is Infinity, which is not a finite number.'],
  [{ prices: [{ amount: 5 }, { amount: Number.NaN }] }, 'meta.prices[1][amount] is NaN, which is not a finite number.'],
  [{ level: 'medium' }, 'meta.level is not one of easy and hard.'],
  [{ code: 'abc' }, 'meta.code does not match pattern ^[A-Z]{3}$.'],
  [{ code: 5 }, 'meta.code is not of type string.'],
  [{ open: 'perhaps' }, 'meta.open is not of type boolean.'],
  [{ tags: ['a'] }, 'meta.tags[0] must be at least 2 characters long.'],
  [{ tags: ['ab', 'cd', 'ef', 'gh'] }, 'meta.tags must contain at most 3 items.'],
  [{ place: {} }, 'city is a required property of meta.place.'],
  [{ place: { city: 'Rome', zip: 1 } }, 'meta.place[zip] is not allowed.'],
  [{ prices: [{ amount: 5 }, { extra: 1 }] }, 'meta.prices[1][extra] is not allowed.'],
  [{ doors: 'tonight' }, 'meta.doors: Invalid date.'],
  [{ days: ['tonight'] }, 'meta.days[0]: Invalid date.'],
  [{ contact: 'nowhere' }, 'meta.contact: Invalid email address.'],
]

const refusedRecords: readonly [record: object, code: string, message: RegExp][] = [
  [{ type: 'evnt' }, 'undeclared-record-type', /no record type 'evnt'\. Did you mean 'event'\? .*'record_types'/],
  [{ type: 'event', status: 'soldout' }, 'undeclared-status', /no status 'soldout'\. Did you mean 'sold_out'/],
  [
    { type: 'note', status: 'sold_out' },
    'undeclared-status',
    /'note' have no status 'sold_out'\. Use one of: publish, /,
  ],
  [
    { type: 'event', meta: { capcity: 5 } },
    'undeclared-metadata',
    /'event' have no metadata 'capcity'\. Did you mean 'capacity'\? .*record_types\.event\.meta/,
  ],
  [{ type: 'event', terms: { knd: ['a'] } }, 'invalid_taxonomy', /taxonomy knd\. Did you mean 'kind'/],
  [{ type: 'note', terms: { knd: ['a'] } }, 'undeclared-taxonomy', /no taxonomy 'knd'\. Did you mean 'kind'/],
]

const route = endpoint(
  {
    namespace: 'events/v1',
    route: '/events',
    method: 'POST',
    permission: 'public',
    dependencies: { records: RecordStore },
    args: { capacity: { required: true }, key: { type: 'string', default: 'capacity' } },
  },
  async (request, { records }) => {
    const { capacity, key } = request.get_params()
    const { id } = await records.insert({ type: 'event', title: 'Opening', meta: { [key]: capacity } })
    return { id }
  },
)

for (const kind of storeKinds)
  describe(`typed records on ${kind.name}`, { skip: kind.skip }, () => {
    let service: Service
    let records: RecordStore
    let tools: SeedTools
    let terms: Terms
    let url = ''
    const logged: string[] = []
    let drop: () => Promise<void> | void = () => undefined

    before(async () => {
      const database = await kind.create()
      drop = database.drop
      service = await boot([route], {
        ...content,
        database: database.url,
        secrets: {},
        log: {
          info: () => undefined,
          warn: () => undefined,
          error: (fields) => void logged.push(String((fields as { err?: Error }).err?.message)),
        },
        seed: async (seedTools) => {
          tools = seedTools
          ;({ terms } = seedTools)
        },
      })
      records = service.records
      ;({ url } = await service.listen({ port: 0 }))
    })
    after(async () => {
      await service.close()
      await drop()
    })

    const event = async (meta: Record<string, unknown> = {}): Promise<number> =>
      (await records.insert({ type: 'event', status: 'publish', title: 'Opening', meta })).id

    for (const [written, read] of converted)
      it(`stores ${JSON.stringify(written)} by its rules`, async () => {
        const expected = JSON.parse(JSON.stringify({ price: 5, ...read }))
        const id = await event(written)
        assert.deepEqual(JSON.parse(JSON.stringify((await records.get(id))?.meta)), expected)
        const updated = await records.update(await event(), { meta: written })
        assert.deepEqual(JSON.parse(JSON.stringify(updated?.meta)), expected)
      })

    for (const [meta, message] of refusedValues)
      it(`refuses ${JSON.stringify(meta)}: ${message}`, async () => {
        const id = await event({ capacity: 3 })
        const before = await records.count({ type: 'event', status: ['publish', 'draft'] })
        const refusal = { name: 'RecordRejectedError', code: 'invalid_meta_value', message }
        await assert.rejects(records.insert({ type: 'event', title: 'Opening', meta }), refusal)
        await assert.rejects(records.update(id, { title: 'Changed', meta }), refusal)
        assert.equal(await records.count({ type: 'event', status: ['publish', 'draft'] }), before)
        const stored = await records.get(id)
        assert.deepEqual([stored?.title, stored?.meta['capacity']], ['Opening', 3])
      })

    for (const [record, code, message] of refusedRecords)
      it(`refuses ${JSON.stringify(record)} with the nearest name`, async () => {
        const isRefused = (error: unknown): true => {
          assert.ok(error instanceof UndeclaredNameError || error instanceof RecordRejectedError)
          assert.equal(error.code, code)
          assert.match(error.message, message)
          return true
        }
        await assert.rejects(records.insert({ title: 'Opening', ...record } as NewRecord), isRefused)
        const { type, ...change } = record as { readonly type: string }
        const { id } = await records.insert({ type: type === 'evnt' ? 'event' : type, title: 'Opening' })
        await assert.rejects(records.update(id, (type === 'evnt' ? { type } : change) as RecordChange), isRefused)
        assert.equal((await records.get(id))?.status, 'draft')
      })

    it('refuses a misspelt key to remove, and removes a declared one', async () => {
      const id = await event({ capacity: 3 })
      await assert.rejects(records.update(id, { remove_meta: ['capcity'] }), { code: 'undeclared-metadata' })
      assert.equal((await records.update(id, { remove_meta: ['capacity'] }))?.meta['capacity'], undefined)
    })

    it('keeps statuses that a type declares, and finds records by them', async () => {
      const { id } = await records.insert({ type: 'event', status: 'sold_out', title: 'Full' })
      const soldOut = await records.list({ type: 'event', status: 'sold_out', fields: ['status'] })
      assert.deepEqual(soldOut, [{ id, status: 'sold_out' }])
      await assert.rejects(records.count({ type: 'note', status: 'sold_out' }), { code: 'undeclared-status' })
    })

    it('removes a declared key by null, so that each value that is read has the declared type', async () => {
      const written = { capacity: 3, price: 12.5, level: 'hard', tags: ['ab'], place: { city: 'Rome' } }
      const id = await event(written)
      const absent = { capacity: null, price: null, level: null, tags: null, place: null }
      const failed = records.update(id, { title: 'Changed', meta: { ...absent, code: 'abc' } })
      await assert.rejects(failed, { code: 'invalid_meta_value' })
      assert.deepEqual(JSON.parse(JSON.stringify((await records.get(id))?.meta)), written)
      const updated = await records.update(id, { meta: { ...absent, open: true } })
      for (const record of [updated, await records.get(id)])
        assert.deepEqual(JSON.parse(JSON.stringify(record?.meta)), { price: 5, open: true })
      assert.equal(await records.count({ type: 'event', ids: [id], status: 'publish', where: { level: null } }), 1)
    })

    it('stores null of a key without declaration as WordPress does', async () => {
      const { id } = await records.insert({ type: 'note', title: 'Note', meta: { colour: 'red', size: null } })
      const meta = (await records.update(id, { meta: { colour: null } }))?.meta
      assert.deepEqual(JSON.parse(JSON.stringify(meta)), { colour: '', size: '' })
    })

    it('takes any metadata of a type that declares none', async () => {
      const { id } = await records.insert({ type: 'note', title: 'Note', meta: { anything: 'many' } })
      assert.equal((await records.get(id, { type: 'note' }))?.meta['anything'], 'many')
      assert.equal((await records.update(id, { meta: { other: [1] } }))?.meta['anything'], 'many')
    })

    it('reads a record only as the requested type', async () => {
      const id = await event()
      assert.equal((await records.get(id, { type: 'event', fields: ['title'] }))?.title, 'Opening')
      assert.equal((await records.get(id, { type: ['note', 'event'] }))?.id, id)
      assert.equal(await records.get(id, { type: 'note' }), null)
      await assert.rejects(records.get(id, { type: 'evnt' }), /Did you mean 'event'/)
      await assert.rejects(records.get(id, { type: 'event', meta_keys: ['capcity'] }), /Did you mean 'capacity'/)
      await records.transaction(async (inside) => {
        assert.equal((await inside.get(id, { type: 'event', lock: true }))?.id, id)
      })
    })

    it('refuses fields that do not exist, and conditions that compare no field', async () => {
      const id = await event()
      const read = await records.get(id, { type: 'event' })
      const misspelt: readonly [call: () => Promise<unknown>, message: RegExp][] = [
        [() => records.insert({ titel: 'x' } as never), /A new record has no field 'titel'\. Did you mean 'title'/],
        [() => records.update(id, { titel: 'x' } as never), /A change of a record has no field 'titel'/],
        [() => records.update(id, { title: 'x' }, { if_unchangd: read } as never), /Did you mean 'if_unchanged'/],
        [() => records.delete(id, { fi: { title: 'x' } } as never), /A condition on a record has no field 'fi'/],
        [() => records.update(id, { title: 'x' }, { if_unchanged: null as never }), /'if_unchanged' must be an object/],
        [() => records.update(id, { title: 'x' }, { if_unchanged: {} }), /compares no field/],
        [() => records.update(id, { title: 'x' }, { if_unchanged: { link: 'x' } }), /compares no field/],
        [() => records.delete(id, { if: {} }), /compares no field/],
        [() => records.delete(id, { if: { meta: {} } }), /compares no field/],
        [() => terms.create({ name: null as never }), /The name of a term must be a string; it is null/],
        [() => terms.findOrCreate({ name: 5 as never }), /The name of a term must be a string; it is a number/],
        [() => terms.create({ name: 'x', slgu: 'x' } as never), /A new term has no field 'slgu'\. Did you mean 'slug'/],
        [() => service.users.create({ emial: 'x' } as never), /A new user has no field 'emial'\. Did you mean 'email'/],
        [() => service.users.update(1, { nickame: 'x' } as never), /A change of a user has no field 'nickame'/],
      ]
      for (const [call, message] of misspelt) await assert.rejects(call, message)
      const { id: _, ...fields } = read ?? assert.fail()
      assert.equal((await records.update(id, { ...read, title: 'Closing' }))?.title, 'Closing')
      assert.equal((await records.insert({ ...fields, slug: 'copy' })).title, 'Opening')
    })

    it('refuses misspelt names in a condition, which no record would meet', async () => {
      const id = await event({ capacity: 3 })
      for (const [condition, message] of [
        [{ type: 'evnt' }, /no record type 'evnt'\. Did you mean 'event'/],
        [{ status: 'publsh' }, /no status 'publsh'\. Did you mean 'publish'/],
        [{ meta: { capcity: 3 } }, /no metadata 'capcity'\. Did you mean 'capacity'/],
        [{ type: 'note', status: 'sold_out' }, /'note' have no status 'sold_out'/],
        [{ status: ['publish', 'draft'] }, /'status' of 'if' must be a string; it is a list/],
      ] as const)
        for (const call of [
          () => records.update(id, { title: 'Changed' }, { if: condition as never }),
          () => records.delete(id, { if: condition as never }),
        ])
          await assert.rejects(call, message)
      const other = records.update(id, { title: 'Changed' }, { if: { type: 'note', meta: { any: 1 } } })
      await assert.rejects(other, { code: 'record_conflict', field: 'type' })
      const changed = records.update(id, { title: 'Changed' }, { if: { type: 'event', meta: { capacity: 3 } } })
      assert.equal((await changed)?.title, 'Changed')
    })

    it('refuses a taxonomy that no type declares', async () => {
      assert.equal((await terms.create({ name: 'Concert', taxonomy: 'kind' })).slug, 'concert')
      await assert.rejects(terms.create({ name: 'Concert', taxonomy: 'knd' }), /'knd'\. Did you mean 'kind'/)
      await assert.rejects(terms.list('knd'), { code: 'undeclared-taxonomy' })
      await assert.rejects(terms.find('concert', 'knd'), { code: 'undeclared-taxonomy' })
    })

    it('reads and writes options by their rules', async () => {
      const { options } = tools
      assert.equal(await options.get('loan_days'), 21)
      assert.equal(await options.get('closed'), null)
      for (const [hours, message] of [
        [{ monday: [NaN] }, /hours.*\[0\]/],
        [{ pause: '1e999' }, /^hours\[pause\] is Infinity/],
      ] as const)
        await assert.rejects(options.set('hours', hours as never), { code: 'invalid_meta_value', message })
      await options.set('loan_days', '28' as never)
      await options.set('closed', false)
      await options.set('hours', { monday: ['9', 17] as never })
      const read = [await options.get('loan_days'), await options.get('closed'), await options.get('hours')]
      assert.deepEqual(JSON.parse(JSON.stringify(read)), [28, false, { monday: [9, 17] }])
      await assert.rejects(options.set('loan_days', 'many' as never), {
        code: 'invalid_meta_value',
        message: 'loan_days is not of type integer.',
      })
      assert.equal(await options.get('loan_days'), 28)
      for (const call of [options.get('loan_day'), options.set('loan_day', 5), options.delete('loan_day')])
        await assert.rejects(call, /no option of the site 'loan_day'\. Did you mean 'loan_days'\? .*'site_options'/)
      assert.equal(await options.delete('loan_days'), true)
      assert.equal(await options.get('loan_days'), 21)
    })

    it('reads and writes declared metadata of users, and never that of the service', async () => {
      const { users } = service
      const { id } = await users.create({ login: 'mia', email: 'mia@events.example', password: 'long password' })
      assert.deepEqual({ ...(await users.getMeta(id)) }, { points: 0 })
      await users.setMeta(id, { card: '12345678', points: '5', tags: ['a', 'b'] })
      assert.deepEqual({ ...(await users.getMeta(id)) }, { card: '12345678', points: 5, tags: ['a', 'b'] })
      await users.setMeta(id, { card: null, points: undefined })
      assert.deepEqual({ ...(await users.getMeta(id)) }, { points: 5, tags: ['a', 'b'] })
      await assert.rejects(users.setMeta(id, { points: 6, card: '12' }), { code: 'invalid_meta_value' })
      await assert.rejects(users.setMeta(id, { points: 6, crad: '1' }), /of users 'crad'\. Did you mean 'card'/)
      await assert.rejects(users.setMeta(id, { session_tokens: 'x' }), { code: 'undeclared-metadata' })
      await assert.rejects(users.setMeta(999, { points: 6 }), { code: 'invalid_user_id' })
      await assert.rejects(users.setMeta(id, null as never), /must be an object; it is null/)
      assert.deepEqual({ ...(await users.getMeta(id)) }, { points: 5, tags: ['a', 'b'] })
    })

    it('reads and writes declared metadata of terms, within a transaction too', async () => {
      const { id } = await terms.create({ name: 'Theatre', taxonomy: 'kind' })
      await terms.setMeta(id, { colour: '#ff0000' }, 'kind')
      assert.deepEqual({ ...(await terms.getMeta(id)) }, { colour: '#ff0000', order: 1 })
      const message = 'meta.colour: Invalid hex color.'
      await assert.rejects(terms.setMeta(id, { colour: 'red' }, 'kind'), { code: 'invalid_meta_value', message })
      await assert.rejects(terms.setMeta(id, { color: '#000' }, 'kind'), /of terms 'color'\. Did you mean 'colour'/)
      await assert.rejects(terms.setMeta(id, { order: 2 }), { code: 'invalid_term' })
      const failed = records.transaction(async () => {
        await terms.setMeta(id, { order: 2 }, 'kind')
        throw new Error('undone')
      })
      await assert.rejects(failed, /undone/)
      assert.deepEqual({ ...(await terms.getMeta(id)) }, { colour: '#ff0000', order: 1 })
    })

    it('answers a client with what is wrong with a value, and the log with a name that is misspelt', async () => {
      const post = (body: object): Promise<Response> =>
        fetch(`${url}/wp-json/events/v1/events`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      assert.equal((await post({ capacity: '20' })).status, 200)
      const refused = await post({ capacity: 'many' })
      assert.equal(refused.status, 400)
      assert.deepEqual(await refused.json(), {
        code: 'invalid_meta_value',
        message: 'meta.capacity is not of type integer.',
        data: { status: 400 },
      })
      assert.equal((await post({ capacity: 5, key: 'capcity' })).status, 500)
      assert.match(logged.at(-1) ?? '', /Did you mean 'capacity'/)
    })
  })

const refusedDeclarations: readonly [options: object, message: RegExp][] = [
  [{ user_meta: { session_tokens: { type: 'string' } } }, /user_meta\.session_tokens: the service itself keeps this/],
  [{ user_meta: { WP_Capabilities: { type: 'string' } } }, /the service itself keeps this metadata/],
  [{ user_meta: { séssion_tokens: { type: 'string' } } }, /a key must be of letters, digits, _ and -/],
  [{ term_meta: { colour: { type: 'text' } } }, /term_meta\.colour: its type must be one of/],
  [
    { site_options: { days: { type: 'integer', minimun: 1 } } },
    /site_options\.days: 'minimun' is not a rule\. Did you mean 'minimum'/,
  ],
  [{ site_options: { days: { type: 'integer', minimum: 1, default: 0 } } }, /site_options\.days: /],
  [
    { record_types: { event: { statuses: ['Sold out'] } } },
    /record_types\.event\.statuses: it must be a list of names/,
  ],
  [{ record_types: { event: { statusses: [] } } }, /unknown option statusses\. Did you mean 'statuses'/],
  [
    { record_types: { event: { meta: { tags: { type: 'array', required: true } } } } },
    /'required' is a rule of arguments/,
  ],
]
for (const [options, message] of refusedDeclarations)
  it(`${JSON.stringify(options)} stops the start`, async () => {
    await assert.rejects(boot([route], { database: 'sqlite::memory:', ...options }), message)
  })

it('an application that declares no type may use any', async () => {
  const service = await boot([route], {
    database: 'sqlite::memory:',
    secrets: {},
    seed: async ({ terms }) => void (await terms.create({ name: 'Fiction', taxonomy: 'shelf' })),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  try {
    const terms = { shelf: ['fiction'] }
    const { id } = await service.records.insert({
      type: 'loan',
      title: 'Momo',
      status: 'lent',
      meta: { days: 3 },
      terms,
    })
    const list = await service.records.list({ type: 'loan', status: 'lent', where: { days: '3' } })
    assert.deepEqual(
      list.map((record) => record.id),
      [id],
    )
    assert.equal((await service.records.update(id, { status: 'back' }))?.status, 'back')
  } finally {
    await service.close()
  }
})
