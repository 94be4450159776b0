import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AsRestRoute, inject, Readiness, RestResponse, SiteOptions, type RestRequest } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { refusalOf } from './refusal.js'
import { startService } from '../support/start-service.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

class Jobs {
  static running = 0
  start() {
    Jobs.running += 1
  }
  [Symbol.dispose]() {
    Jobs.running -= 1
  }
}

/** Its methods are called `start` and answer requests or decide permissions: they do not belong to its life. */
class JobsApi {
  started = 0

  @AsRestRoute({ namespace: 'life/v1', route: '/start', method: 'POST', permission: 'public' })
  start() {
    this.started += 1
    return this.started
  }
}

class Engine {
  /** It takes a parameter, so the application calls it. */
  start(speed: number) {
    return speed
  }
}

class EngineApi {
  constructor(private readonly engine = inject(Engine)) {}

  @AsRestRoute({ namespace: 'life/v1', route: '/engine', permission: 'start' })
  read() {
    return this.engine.start(5)
  }

  start() {
    return true
  }
}

test('the option services starts a class that no route injects; methods of routes are left alone', async () => {
  const site = await startService([JobsApi, EngineApi], { services: [Jobs] })
  assert.equal(Jobs.running, 1)
  assert.equal(await (await fetch(`${site.rest}life/v1/start`, { method: 'POST' })).json(), 1)
  assert.equal(await (await fetch(`${site.rest}life/v1/engine`)).json(), 5)
  await site.close()
  assert.equal(Jobs.running, 0)
  const { diagnostics } = await refusalOf([JobsApi], { services: ['Jobs' as never] })
  assert.deepEqual(
    diagnostics.map(({ subject, message }) => [subject, message]),
    [['option services[0]', 'it must be a class.']],
  )
})

class Greetings {
  constructor(private readonly options = inject(SiteOptions)) {}

  async store(text: string) {
    await this.options.set('greeting', text)
  }

  read() {
    return this.options.get('greeting')
  }
}

class GreetingsApi {
  constructor(private readonly greetings = inject(Greetings)) {}

  @AsRestRoute({ namespace: 'life/v1', route: '/greeting', permission: 'public' })
  async read(_request: RestRequest) {
    return new RestResponse((await this.greetings.read()) ?? null)
  }
}

test('inject works in seed, also after it has awaited something, and gives the objects of this service', async (context) => {
  const site = await startService([GreetingsApi], {
    seed: async () => {
      await pause(5)
      await inject(Greetings).store('hello')
    },
  })
  context.after(() => site.close())
  assert.equal(await (await fetch(`${site.rest}life/v1/greeting`)).json(), 'hello')
  assert.throws(() => inject(Greetings), /inject\(Greetings\) works only while the service builds a class/)
})

class Search {
  state: 'up' | 'down' | 'failing' | 'hanging' = 'up'
  constructor(readiness = inject(Readiness)) {
    readiness.add('search', () => {
      if (this.state === 'failing') throw new Error('no route to host')
      return this.state === 'hanging' ? new Promise(() => {}) : this.state === 'up'
    })
    readiness.add('disk', async () => {})
  }
}

class SearchApi {
  constructor(private readonly search = inject(Search)) {}

  @AsRestRoute({
    namespace: 'life/v1',
    route: '/search',
    method: 'PUT',
    permission: 'public',
    args: { state: { type: 'string', enum: ['up', 'down', 'failing', 'hanging'], required: true } },
  })
  set(request: RestRequest<{ state: 'up' | 'down' | 'failing' | 'hanging' }>) {
    this.search.state = request.get_param('state')
    return null
  }
}

test('/readyz runs the checks that a class has added, and is 200 again when they pass', async (context) => {
  const site = await startService([SearchApi])
  context.after(() => site.close())
  const ready = async () => {
    const response = await fetch(`${site.url}/readyz`)
    return [response.status, await response.text()]
  }
  const set = (state: string) =>
    fetch(`${site.rest}life/v1/search`, { method: 'PUT', body: new URLSearchParams({ state }) })
  assert.deepEqual(await ready(), [200, 'ready\n'])
  for (const state of ['down', 'failing', 'hanging']) {
    await set(state)
    assert.deepEqual(await ready(), [503, 'not ready: search\n'], state)
    const fields = site.log.at(-1)?.fields
    assert.deepEqual([fields?.['code'], fields?.['check']], ['check-not-ready', 'search'])
  }
  assert.match(String(site.log.at(-1)?.fields['err']), /took longer than 5 s/)
  assert.equal((await fetch(`${site.url}/healthz`)).status, 200)
  await set('up')
  assert.deepEqual(await ready(), [200, 'ready\n'])
})

test('check, routes and openapi run no constructor of the application; check --build does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'life-'))
  try {
    const index = new URL('../../src/index.ts', import.meta.url)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(folder, 'as-rest-route.config.mjs'),
      `import { Mailer } from ${JSON.stringify(fileURLToPath(index))}
      class Letters extends Mailer { constructor() { super(); globalThis.built.push('Letters') } async send() {} }
      export default { provide: [[Mailer, Letters]] }`,
    )
    writeFileSync(
      join(folder, 'items.mjs'),
      `import { endpoint, Mailer } from ${JSON.stringify(fileURLToPath(index))}
      class Pool {
        constructor() { globalThis.built.push('Pool') }
        [Symbol.asyncDispose]() { globalThis.built.push('Pool ended') }
      }
      class Missing {}
      const declaration = { namespace: 'life/v1', permission: 'public' }
      export const items = endpoint({ ...declaration, route: '/items', dependencies: { pool: Pool, mailer: Mailer } }, () => null)
      export const others = endpoint({ ...declaration, route: '/others', dependencies: { missing: Missing } }, () => null)`,
    )
    const built: string[] = []
    Object.assign(globalThis, { built })
    const results = [
      await runHere(['check', folder]),
      await runHere(['routes', folder]),
      await runHere(['openapi', folder]),
    ]
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0, 0],
      JSON.stringify(results),
    )
    assert.deepEqual(built, [])
    const { code, stdout } = await runHere(['check', folder, '--build'])
    assert.equal(code, 1)
    assert.match(stdout, /Missing is a contract without an implementation.*\[implementation-missing\]/)
    assert.deepEqual(built, ['Letters', 'Pool', 'Pool ended'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
