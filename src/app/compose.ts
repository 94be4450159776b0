import { logError } from '../log/log-error.js'
import { requestLog } from '../http/request-log.js'
import { callerOfRole } from '../auth/capabilities.js'
import { runAs } from '../auth/current-user.js'
import { ProcessRequestCounters } from '../auth/process-request-counters.js'
import type { RequestCounters } from '../auth/request-counters.js'
import { pathOfAddress } from '../content/path-of-address.js'
import { writeSiteDefaults } from '../content/site.js'
import { routesDocument } from '../documents/namespace-document.js'
import type { StoredResponseRows } from '../database/stored-response-rows.js'
import type { Log } from '../log/log.js'
import { isWithoutTls } from './without-tls.js'
import { Core } from '../pipeline/core.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { Application } from './application.js'
import { createAuthentication, type Authentication, type CreateLimiter } from './authentication.js'
import type { Content } from './content.js'
import { durationClock } from './duration-clock.js'
import type { ForeignWrites } from './foreign-writes.js'
import type { ResolvedOptions } from './options.js'
import { computedPerAddress } from './computed-per-address.js'
import { createPages } from './pages.js'
import { createRest, type Rest } from './rest.js'
import { SeedError } from './seed-error.js'
import type { Companion } from './companion.js'
import { readSite, SiteWatch } from './site-watch.js'
import { storeAdapterOf } from './stores.js'
import { warnOfUnknownOptionCapabilities } from './unknown-capabilities.js'

/** What a service is composed of. The storage of `content` is open. */
export interface ComposeDependencies {
  readonly application: Application
  readonly options: ResolvedOptions
  readonly content: Content
  readonly log: Log
  /** Whether this start created the database. */
  readonly created: boolean
  readonly uncheckedEndpoints?: readonly Endpoint[]
  /** The table of the responses to requests with an idempotency key. */
  readonly storedResponses: StoredResponseRows
  /** Default: limiters that count in this process alone. */
  readonly limiters?: Limiters | null
  /** Null for a site without the companion plugin, and for a database of our own. */
  readonly companion?: Companion | null
  /** Null for a database of our own. */
  readonly foreignWrites?: ForeignWrites | null
}

/** The counters of login attempts and of requests. */
export interface Limiters {
  readonly createLimiter: CreateLimiter
  readonly requestCounters: RequestCounters
}

export interface Composed {
  readonly core: Core
  readonly authentication: Authentication
  readonly rest: Rest
}

/**
 * Composes a service: content, authentication, REST and pages. Reads what the database says of the site, and fills a
 * database that this start created. @throws StorageError @throws SeedError
 */
export async function compose(dependencies: ComposeDependencies): Promise<Composed> {
  const {
    application,
    options,
    content,
    log,
    storedResponses,
    uncheckedEndpoints = [],
    limiters = null,
    companion = null,
  } = dependencies
  await readContent(dependencies)
  const authentication = await createAuthentication(content, options, {
    log,
    mailer: application.mailer,
    createLimiter: limiters?.createLimiter,
    companion: companion?.messages,
  })
  const requestCounters = limiters?.requestCounters ?? new ProcessRequestCounters(durationClock(options.clock))
  const rest = createRest({
    application,
    options,
    content,
    authentication,
    log,
    uncheckedEndpoints,
    requestCounters,
    storedResponses,
  })
  const pages = createPages({ application, options, content, log, authentication, rest })
  const watch = watchSite(dependencies)
  companion?.start({
    secrets: authentication.secrets,
    home: () => content.site.home,
  })
  companion?.announce(...shownRoutes(application, rest))
  const core = new Core({
    companion: companion && companion.receive,
    refreshed: watch && (() => watch.refreshed()),
    rest: rest.service,
    writer: rest.writer,
    failures: rest.failures,
    pages,
    pingDatabase: () => content.storage.ping(),
    unready: () => application.readiness.unready(),
    restPrefix: options.rest_prefix,
    homePath: computedPerAddress(content.site, () => pathOfAddress(content.site.home)),
    log,
    logsRequests: options.request_log,
    idle: () => allIdle([rest.work, content.hooks, content.jobRunner, authentication.messages]),
    bodyLimit: { usual: options.body_limit, isUniform: rest.bodyLimits.length === 0 },
    stopping: () => rest.eventStreams.endAll(),
    cutOff: () => rest.work.cut(),
  })
  if (dependencies.created) await seed(dependencies, authentication)
  return { core, authentication, rest }
}

/** Work that goes on after the requests. */
interface OngoingWork {
  readonly isBusy: boolean
  /** Resolves when it is not busy. */
  idle(): Promise<void>
}

/** Resolves when none is busy. The work of one may begin work of another: a job writes a record whose hook sends a message. */
async function allIdle(works: readonly (OngoingWork | null)[]): Promise<void> {
  while (works.some((work) => work?.isBusy)) for (const work of works) await work?.idle()
}

/** Reads what the database says of the site and its roles, with defaults in a new database. */
async function readContent(dependencies: ComposeDependencies): Promise<void> {
  const { content, created, log, options } = dependencies
  if (created) await writeSiteDefaults(content.storage.options, { siteurl: options.base_url, ...options.site })
  await readSite(content, options, log)
  for (const { place, message } of options.wordpressConfig?.warnings ?? [])
    logError(log, 'wordpress-config-unread', { ...place, detail: message })
  if (isWithoutTls(content.site.home, options)) logError(log, 'site-address-not-https', { home: content.site.home })
  await content.roles.ensure((detail) => logError(log, 'roles-unreadable', { detail }))
  await warnOfUnknownOptionCapabilities(options, content.roles, log)
}

/** Reads the site again when a WordPress may have changed it; null for a database of our own. */
function watchSite({ content, foreignWrites, log, options }: ComposeDependencies): SiteWatch | null {
  if (options.wordpressConfig === null) return null
  const watch = new SiteWatch(() => readSite(content, options, log))
  content.site.refreshBy(() => watch.refreshed())
  foreignWrites?.onReport(() => watch.expire())
  return watch
}

/** Length of the JSON, in UTF-16 code units, up to which the index of WordPress gets the descriptions of routes. */
const maxDescriptions = 500_000

/** The namespaces of the application, and the descriptions of their routes, for the index of WordPress. */
function shownRoutes({ routes }: Application, { pipeline: { table }, root }: Rest): [readonly string[], unknown] {
  const declared = new Set(routes.map(({ declaration }) => declaration.namespace))
  const namespaces = table.namespaces.filter((namespace) => declared.has(namespace))
  const shown = table.routes.filter(({ namespace }) => namespace !== null && namespaces.includes(namespace))
  const descriptions = routesDocument(shown, root())
  // `routesDocument` returns `[]` when no route is visible.
  const isLeftOut = Array.isArray(descriptions) || JSON.stringify(descriptions).length > maxDescriptions
  return [namespaces, isLeftOut ? {} : descriptions]
}

/** Runs the option `seed` as an administrator without an id, so that what it inserts has no author. */
async function seed(
  { application, options, content, log }: ComposeDependencies,
  { contextOf }: Authentication,
): Promise<void> {
  const { seed: fill } = options
  if (!fill) return
  const { records, terms, users, siteOptions, roles } = content
  const installer = { ...callerOfRole('administrator', await roles.current()), id: 0 }
  try {
    const tools = { records, users, terms, options: siteOptions, log: requestLog(log, {}) }
    await runAs(contextOf(installer), () => application.container.within(() => fill(tools)))
  } catch (error) {
    throw new SeedError(error, !storeAdapterOf(options.database).locate(options.database).isTemporary)
  }
}
