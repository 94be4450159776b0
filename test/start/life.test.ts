import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { AsRestRoute, boot, inject, RecordStore, StartupError } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { silent } from '../../src/log/log.js'
import { startService } from '../support/start-service.js'
import { temporaryDatabase } from '../support/test-database.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The events that the classes of this file record, in order. */
const events: string[] = []

class Connection {
  isOpen = false

  async start() {
    await pause(20)
    this.isOpen = true
    events.push('connection opened')
  }

  async [Symbol.asyncDispose]() {
    await pause(20)
    this.isOpen = false
    events.push('connection closed')
  }
}

class Catalogue {
  titles: readonly string[] = []

  constructor(
    private readonly connection = inject(Connection),
    private readonly records = inject(RecordStore),
  ) {}

  async start() {
    assert.ok(this.connection.isOpen, 'what a class injects is started before it')
    this.titles = (await this.records.list({ type: 'post' })).map(({ title }) => title)
    events.push('catalogue read')
  }

  async [Symbol.asyncDispose]() {
    assert.ok(this.connection.isOpen, 'what a class injects ends after it')
    await this.records.insert({ type: 'post', title: 'written at the end' })
    events.push('catalogue written')
  }
}

class CatalogueApi {
  constructor(
    private readonly catalogue = inject(Catalogue),
    private readonly connection = inject(Connection),
  ) {}

  @AsRestRoute({ namespace: 'life/v1', route: '/titles', permission: 'public' })
  list() {
    return { titles: this.catalogue.titles, isOpen: this.connection.isOpen }
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/slow', permission: 'public' })
  async slow() {
    events.push('request begun')
    await pause(100)
    events.push(`request ended, connection ${this.connection.isOpen ? 'open' : 'closed'}`)
    return null
  }
}

test('start is awaited before a service listens, and its objects end after the requests, in reverse order', async () => {
  events.length = 0
  const site = await startService([CatalogueApi], {
    seed: async ({ records }) => {
      await records.insert({ type: 'post', status: 'publish', title: 'seeded' })
    },
  })
  const response = await fetch(`${site.rest}life/v1/titles`)
  assert.deepEqual(await response.json(), { titles: ['seeded'], isOpen: true })
  const slow = fetch(`${site.rest}life/v1/slow`)
  while (!events.includes('request begun')) await pause(5)
  await site.service.close({ gracePeriod: 60_000 })
  assert.equal((await slow).status, 200)
  assert.deepEqual(events, [
    'connection opened',
    'catalogue read',
    'request begun',
    'request ended, connection open',
    'catalogue written',
    'connection closed',
  ])
  assert.deepEqual(
    site.log.filter(({ level }) => level !== 'info'),
    [],
  )
})

class Unreachable {
  constructor(private readonly connection = inject(Connection)) {}

  start() {
    assert.ok(this.connection.isOpen)
    return Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:6379'))
  }

  [Symbol.dispose]() {
    events.push('unreachable ended')
  }
}

class NeedingApi {
  constructor(readonly unreachable = inject(Unreachable)) {}

  @AsRestRoute({ namespace: 'life/v1', route: '/needing', permission: 'public' })
  read() {
    return null
  }
}

test('a start that fails names the chain of injections, ends what was started, and leaves the database usable', async (context) => {
  events.length = 0
  const folder = mkdtempSync(join(tmpdir(), 'life-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const database = `sqlite:${join(folder, 'site.sqlite')}`
  let seeds = 0
  const options = { database, secrets: {}, seed: async () => void (seeds += 1) }
  const error = await boot([NeedingApi], options).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof StartupError)
  const [diagnostic] = error.diagnostics
  assert.equal(diagnostic?.code, 'service-start-failed')
  assert.equal(diagnostic.subject, 'NeedingApi -> Unreachable')
  assert.equal(diagnostic.message, 'its start() failed: connect ECONNREFUSED 10.0.0.7:6379')
  assert.match(String(diagnostic.location?.file), /life\.test\.ts$/)
  assert.equal((error.cause as Error).message, 'connect ECONNREFUSED 10.0.0.7:6379')
  assert.deepEqual(events, ['connection opened', 'unreachable ended', 'connection closed'])
  const service = await boot([CatalogueApi], options)
  assert.equal((await service.fetch(new Request('http://localhost/wp-json/life/v1/titles'))).status, 200)
  await service.close()
  assert.equal(seeds, 1)
})

class Textless {
  start() {
    return Promise.reject(Object.create(null))
  }
}

class TextlessApi {
  constructor(readonly textless = inject(Textless)) {}

  @AsRestRoute({ namespace: 'life/v1', route: '/textless', permission: 'public' })
  read() {
    return null
  }
}

test('a start that throws a value without text is reported with the name of its class', async () => {
  await assert.rejects(
    boot([TextlessApi], { database: await temporaryDatabase(), log: silent }),
    (error: unknown) =>
      error instanceof StartupError &&
      error.diagnostics[0]?.message === 'its start() failed: What was thrown has no text.',
  )
})

class Late {
  [Symbol.asyncDispose]() {
    events.push('late ended')
    return Promise.resolve()
  }
}

class Hanging {
  constructor(readonly late = inject(Late)) {}

  [Symbol.asyncDispose]() {
    return new Promise<void>(() => {})
  }
}

class Failing {
  constructor(readonly hanging = inject(Hanging)) {}

  [Symbol.asyncDispose]() {
    throw new Error('it is broken')
  }
}

class StubbornApi {
  constructor(readonly failing = inject(Failing)) {}

  @AsRestRoute({ namespace: 'life/v1', route: '/stubborn', permission: 'public' })
  read() {
    return null
  }
}

test('an object that fails or hangs at its end is logged, and the others end within the grace period', async () => {
  events.length = 0
  const site = await startService([StubbornApi])
  await site.service.close({ gracePeriod: 1_200 })
  assert.deepEqual(events, ['late ended'])
  const lines = site.log.map(({ fields }) => fields).filter(({ code }) => String(code).startsWith('service-'))
  assert.deepEqual(
    lines.map(({ code, service }) => [code, service]),
    [
      ['service-end-failed', 'StubbornApi -> Failing'],
      ['service-end-slow', 'StubbornApi -> Failing -> Hanging'],
    ],
  )
  assert.equal(String(lines[0]?.['err']), 'Error: it is broken')
})

test('an object whose start was not called is not ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'life-'))
  try {
    writeFileSync(
      join(folder, 'api.ts'),
      `import { AsRestRoute, inject } from 'as-rest-route'
      export class Opened { async [Symbol.asyncDispose]() { globalThis.ended.push('Opened') } }
      export class Started {
        async start() { if (globalThis.fails) throw new Error('no line') }
        async [Symbol.asyncDispose]() { globalThis.ended.push('Started') }
      }
      export class Later {
        constructor(started = inject(Started)) {}
        async start() {}
        async [Symbol.asyncDispose]() { globalThis.ended.push('Later') }
      }
      export class Api {
        constructor(opened = inject(Opened), later = inject(Later)) {}
        @AsRestRoute({ namespace: 'life/v1', route: '/items', permission: 'mayRead' }) list() { return [] }
        mayRead() { return true }
      }`,
    )
    const ended: string[] = []
    Object.assign(globalThis, { ended, fails: true })
    const explained = await runHere(['explain', 'GET', '/wp-json/life/v1/items', folder])
    assert.match(explained.stdout, /mayRead/, JSON.stringify(explained))
    assert.deepEqual(ended, ['Opened'])
    assert.equal((await runHere(['check', folder, '--build'])).code, 0)
    assert.deepEqual(ended, ['Opened', 'Opened'])
    await assert.rejects(boot(folder, { database: await temporaryDatabase(), log: silent }), /no line/)
    assert.deepEqual(
      ended.slice(2),
      ['Started', 'Opened'],
      'what has begun to start is ended, what comes after it is not',
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
