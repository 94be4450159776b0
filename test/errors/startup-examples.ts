import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  AsRestRoute,
  inject,
  Mailer as OwnMailer,
  RecordStore,
  RestResponse,
  type Diagnostic,
  type DiagnosticCode,
} from 'as-rest-route'
import { loadFault } from '../../src/app/load-fault.js'
import { missingRedisPackage, missingSmtpPackage } from '../../src/app/implementations.js'
import { unresolvedFault } from '../../src/app/instances.js'
import { Lifecycle } from '../../src/app/lifecycle.js'
import { Container, UnresolvedDependencyError } from '../../src/container/container.js'
import { silent } from '../../src/log/log.js'
import { inspect } from '../../src/app/plan.js'
import { missingTsx } from '../../src/app/typescript.js'
import { refusalOf } from '../start/refusal.js'
import { z } from 'zod'

const fixtures = new URL('../fixtures/start/', import.meta.url)
const folders = [
  'declarations',
  'targets',
  'endpoints',
  'against-each-other',
  'modules',
  'dependencies',
  'without-views',
  'empty',
  'nowhere',
  'misconfigured',
]

class Items {
  @AsRestRoute({ namespace: 'shop/v1', route: '/items', permission: 'public' })
  list() {
    return new RestResponse([])
  }
}

class Letters {
  constructor(private readonly mailer = inject(OwnMailer)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/letters', permission: 'public' })
  list() {
    return new RestResponse(typeof this.mailer)
  }
}

class Catalogue {
  start() {
    throw new Error('connect ECONNREFUSED 10.0.0.7:6379')
  }
}

class CatalogueApi {
  constructor(readonly catalogue = inject(Catalogue)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/catalogue', permission: 'public' })
  list() {
    return new RestResponse([])
  }
}

/** What a class with `start` is refused with while the service runs. */
async function lateService(): Promise<Diagnostic> {
  const container = new Container()
  await new Lifecycle(container, [], silent).start()
  try {
    container.get(Catalogue)
  } catch (error) {
    if (error instanceof UnresolvedDependencyError)
      return { ...unresolvedFault(error), location: null, subject: 'measure' }
  }
  throw new Error('Catalogue was built.')
}

abstract class Mailer {
  abstract send(): void
}

function declaring(declaration: object): unknown {
  class Items {
    @AsRestRoute({ namespace: 'shop/v1', route: '/items', permission: 'public', ...declaration } as never)
    list() {
      return new RestResponse([])
    }
  }
  return [Items]
}

/** Rules of the argument `page` that contain themselves. */
const endless: { type: string; items?: object } = { type: 'array' }
endless.items = endless

const rules: object[] = [
  endless,
  { type: 'array', items: { type: 'string', sanitize_callback: 'trim' } },
  { type: [] },
  { type: 'integer', minLength: 3 },
  { type: 'integer', minimum: 10, maximum: 1 },
  { type: 'string', enum: ['large', 5] },
  { type: 'object', default: { parse: () => 1 } },
  { minimum: 1 },
  { type: 'integer', validate_callback: 'isPage' },
  { type: 'integer', sanitize_callback: 5 },
  { type: 'integer', validate_callback: async () => true },
]

const options: object[] = [
  { port: 8080 },
  { rest_prefix: '/api/' },
  { base_url: 'shop.example' },
  { environment: 'prod' },
  { database: 'data/site.sqlite' },
  { cors: ['shop.example'] },
  { synchronous: 'OFF' },
  { table_prefix: 'wp-' },
  { rest_default_capability: '' },
  { unhandled_rejections: 'ignore' },
  { http: 'http2' },
  { views: '' },
  { smtp_url: 'mail.example' },
  { mail_from: 'The Shop' },
  { provide: [Mailer] },
  { provide: [[RecordStore, {}]] },
  { jobs: [{ name: 'Send ticket', run: () => undefined }] },
  {
    jobs: [
      { name: 'send-ticket', run: () => undefined },
      { name: 'send-ticket', run: () => undefined },
    ],
  },
  { sanitizers: { clean: 'trim' } },
  { sanitizers: { rest_parse_request_arg: (value: unknown) => value } },
  { record_types: { revision: {} } },
  { record_types: { Book: {} } },
  { record_types: { book: true } },
  { record_types: { book: { pages: 5 } } },
  { record_types: { post: { public: false } } },
  { record_types: { book: { permalink: '/books/' } } },
  { record_types: { book: { meta: { pages: { type: 'int' } } } } },
  { record_types: { book: { meta: { pages: { type: 'integer', default: 'many' } } } } },
  { roles: { librarian: { capabilities: 'edit_books' } } },
  { roles: { 'The Librarian': { capabilities: [] } } },
  { roles: { librarian: { capabilities: [], caps: [] } } },
]

const database = ['DB_NAME', 'DB_USER', 'DB_PASSWORD'].map((name) => `define( '${name}', 'shop' );`)

/** Further lines of a wp-config.php. */
const sites: (readonly string[])[] = [
  ["define( 'AUTH_KEY', read_secret() );"],
  ["define( 'MULTISITE', true );", "define( 'DB_CHARSET', 'latin1' );"],
]

/** The first diagnostic of each code, of services that do not start. */
export async function startupExamples(): Promise<ReadonlyMap<DiagnosticCode, Diagnostic>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'errors-')))
  try {
    const diagnostics = await collect(folder)
    const examples = new Map<DiagnosticCode, Diagnostic>()
    for (const diagnostic of diagnostics)
      if (!examples.has(diagnostic.code)) examples.set(diagnostic.code, withoutPaths(diagnostic, folder))
    return examples
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function collect(folder: string): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  diagnostics.push({ ...missingRedisPackage, location: null, subject: 'option redis_url' })
  diagnostics.push({ ...missingSmtpPackage, location: null, subject: 'option smtp_url' })
  const start = async (source: unknown, bootOptions: unknown = {}) => {
    diagnostics.push(...(await refusalOf(source as never, bootOptions as never)).diagnostics)
  }
  diagnostics.push(
    loadFault(join(folder, 'items.ts'), new Error("Cannot find package 'mailer' imported from items.ts")),
  )
  for (const name of folders) await start(new URL(`${name}/`, fixtures))
  await start(declaring({ method: ['GET', 'POST'] }))
  for (const page of rules) await start(declaring({ args: { page } }))
  for (const responses of ['a list', { 200: { type: 'object' } }]) await start(declaring({ responses }))
  for (const bootOptions of options) await start([Items], bootOptions)
  for (const lines of sites) {
    const config = join(folder, 'wp-config.php')
    writeFileSync(config, ['<?php', "$table_prefix = 'wp_';", ...database, ...lines].join('\n'))
    await start([Items], { wordpress: { config }, base_url: 'https://shop.example' })
  }
  writeFileSync(join(folder, 'wp-config.php'), ['<?php', "$table_prefix = 'wp_';", ...database].join('\n'))
  const jobs = [{ name: 'send-ticket', run: () => undefined }]
  await start([Items], { wordpress: { config: join(folder, 'wp-config.php') }, jobs })
  const kept = declaring({
    method: 'POST',
    rate_limit: { requests: 100, per: 'minute' },
    idempotency_key: 'optional',
  })
  await start(kept, { wordpress: { config: join(folder, 'wp-config.php') }, base_url: 'https://shop.example' })
  await start([Items], { public: folder, database: `sqlite:${join(folder, 'site.sqlite')}` })
  await start([Items], { public: folder, uploads: { folder: join(folder, 'files') } })
  await start([Mailer])
  await start([Letters])
  await start(declaring({ around: ['log'] }))
  await start(declaring({ timeout: 'long' }))
  await start(declaring({ additional_args: false, args: z.object({}) }))
  await start(declaring({ args: z.object({ page: z.number() }) }))
  await start(declaring({ rate_limit: { requests: 0, per: 'minute' } }))
  await start(declaring({ method: 'POST', idempotency_key: true }))
  await start(declaring({ method: 'POST', event_stream: true }))
  await start(declaring({ body_limit: '10 MB' }))
  await start(declaring({ max_files: 1.5 }))
  await start(declaring({ args: { poster: { type: 'file' } } }))
  await start(declaring({ method: 'POST', args: { poster: { type: 'file', max_size: 5_000_000 } } }))
  await start(declaring({ responses: { 200: { type: 'file' } } }))
  await start(declaring({ method: 'POST', args: { poster: { type: 'file', enum: ['poster.png'] } } }))
  await start(Items)
  await start([CatalogueApi])
  diagnostics.push(await lateService())
  diagnostics.push(...(await inspect([Items], null as never)).diagnostics)
  process.env['REDIS_URL'] = 'localhost'
  await start([Items])
  delete process.env['REDIS_URL']
  writeFileSync(join(folder, 'package.json'), '{}')
  diagnostics.push(loadFault(join(folder, 'items.js'), new SyntaxError("Unexpected token 'export'")), {
    ...missingTsx,
    location: null,
    subject: folder,
  })
  writeFileSync(join(folder, 'as-rest-route.config.mjs'), 'export const rest_prefix = "api"')
  await start(folder)
  // Last: every start of this process has two copies of the package from here on.
  await import('../../src/routing/registry.js?second' as string)
  await start([Items])
  return diagnostics
}

/** The example with the paths of an application instead of those of this machine. */
function withoutPaths(diagnostic: Diagnostic, folder: string): Diagnostic {
  const text = (original: string) =>
    original
      .replaceAll(folder, '/srv/shop')
      .replaceAll(new RegExp(`${fileURLToPath(fixtures)}[\\w-]+`, 'g'), '/srv/shop/app')
      .replaceAll(/test\/fixtures\/start\/[\w-]+/g, 'app')
      .replaceAll(/\S+\/src\/routing\/registry\.(?:js|ts)(\?second)?/g, (_, second) =>
        second === undefined ? '/srv/shop/node_modules/as-rest-route/dist/index.js' : '/srv/shop/dist/main.js',
      )
  const { message, subject } = diagnostic
  return { ...diagnostic, location: null, subject: text(subject), message: text(message) }
}
