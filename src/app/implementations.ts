import { dirname, join } from 'node:path'
import { fault, type Fault } from '../base/fault.js'
import { Container, UnresolvedDependencyError, type Contract, type Binding } from '../container/container.js'
import { ContentRenderer } from '../content/content-renderer.js'
import { RecordStore } from '../content/record-store.js'
import type { Site } from '../content/site.js'
import { SiteOptions } from '../content/site-options.js'
import { Terms } from '../content/terms.js'
import { Users } from '../content/users.js'
import type { Log } from '../log/log.js'
import { LogMailer } from '../mail/log-mailer.js'
import { Mailer } from '../mail/mailer.js'
import { SmtpMailer } from '../mail/smtp-mailer.js'
import { isHandlerClass } from '../routing/handler-class.js'
import { EtaViews } from '../views/eta-views.js'
import { NoViews } from '../views/no-views.js'
import { ViewEngineInterface } from '../views/view-engine.js'
import type { Content } from './content.js'
import { unresolvedFault } from './instances.js'
import { isProvider, pathOf } from './option-values.js'
import type { ResolvedOptions } from './options.js'
import { providerFault } from './provider.js'
import { Readiness } from './readiness.js'

/** The classes that handlers can inject, and those that the service uses itself. */
export interface Implementations {
  readonly container: Container
  readonly records: RecordStore
  readonly views: ViewEngineInterface
  /** Null when the application cannot send mail. */
  readonly mailer: Mailer | null
  readonly readiness: Readiness
  /** The faults of the option `provide`. */
  readonly faults: readonly Fault[]
}

interface ImplementationSettings {
  /** The path of the configuration; null without one. */
  readonly configurationFile: string | null
  /** Whether a fault about the views was reported already, so that missing ones are not reported again. */
  readonly areViewsFaulty: boolean
  readonly log: Log
  /** Whether the classes of the option `provide` are built. Otherwise the service's own implementations take their places. */
  readonly builds: boolean
}

/**
 * The contracts of the package with their implementations: those of the option `provide`, else those of the service.
 */
export function createImplementations(
  content: Content,
  options: ResolvedOptions,
  { configurationFile, areViewsFaulty, log, builds }: ImplementationSettings,
): Implementations {
  const bindings: readonly Binding[] = (options.provide ?? []).filter(isProvider)
  const configuredViews = viewsOf(options)
  const providesViews = bindings.some(([contract]) => contract === ViewEngineInterface)
  const lacksViews = configuredViews === null && !providesViews && !areViewsFaulty
  const defaultViews = configuredViews ?? new NoViews()
  const configuredMailer = mailerOf(options, content.site, log)
  const lacksMailer = configuredMailer === null && !bindings.some(([contract]) => contract === Mailer)
  const readiness = new Readiness(log)
  const container = new Container(
    [
      [RecordStore, content.records],
      [Terms, content.terms],
      [SiteOptions, content.siteOptions],
      [ContentRenderer, new ContentRenderer(content.site)],
      [Users, content.users],
      [Readiness, readiness],
      ...(lacksViews ? [] : [[ViewEngineInterface, defaultViews] as const]),
      ...(configuredMailer === null ? [] : [[Mailer, configuredMailer] as const]),
      ...bindings,
    ],
    new Map<unknown, Fault>([
      ...(lacksViews ? [[ViewEngineInterface, missingViews(configurationFile)] as const] : []),
      ...(lacksMailer ? [[Mailer, missingMailer()] as const] : []),
    ]),
    isHandlerClass,
  )
  const faults: Fault[] = []
  const onFault = (each: Fault) => faults.push(each)
  const classes = new Set(bindings.flatMap(([contract, type]) => (typeof type === 'function' ? [contract] : [])))
  const implementationOf = <T extends object>(contract: Contract<T>, builtIn: T): T =>
    builds || !classes.has(contract) ? provided(contract, builtIn, container, onFault) : builtIn
  return {
    container,
    records: implementationOf(RecordStore, content.records),
    views: lacksViews ? defaultViews : implementationOf(ViewEngineInterface, defaultViews),
    mailer: lacksMailer ? null : implementationOf(Mailer, configuredMailer ?? new LogMailer(log)),
    readiness,
    faults,
  }
}

/** The engine for the templates of the application; null when it has none. */
function viewsOf({ views, environment }: ResolvedOptions): ViewEngineInterface | null {
  return views === undefined ? null : new EtaViews(pathOf(views), environment === 'production')
}

/** @param configurationFile named in the message: a build that compiles the configuration may not have copied the views beside it. */
function missingViews(configurationFile: string | null): Fault {
  const expected =
    configurationFile === null ? '' : ` at ${join(dirname(configurationFile), 'views')}, beside the configuration`
  const remedy =
    configurationFile === null
      ? "Name it in the option 'views'"
      : "Make or copy it there, name it in the option 'views'"
  return fault(
    'views-missing',
    `there is no folder of templates${expected}. ${remedy}, or bring an engine: provide: [[ViewEngineInterface, YourEngine]].`,
  )
}

/** The mailer of the options; null when messages can neither be sent nor be shown to a developer. */
function mailerOf({ smtp_url, mail_from, environment }: ResolvedOptions, site: Site, log: Log): Mailer | null {
  if (smtp_url !== undefined) return new SmtpMailer(smtp_url, () => mail_from ?? defaultSender(site))
  return environment === 'development' || environment === 'local' ? new LogMailer(log) : null
}

/** An address at the host of the site. */
function defaultSender({ home }: Site): string {
  return `no-reply@${new URL(home).hostname.replace(/^www\./, '')}`
}

export const missingSmtpPackage: Fault = fault(
  'smtp-package-missing',
  'the package nodemailer is not installed. Run: npm install nodemailer',
)

export const missingRedisPackage: Fault = fault(
  'redis-package-missing',
  'the package ioredis is not installed. Run: npm install ioredis',
)

function missingMailer(): Fault {
  return fault(
    'mailer-missing',
    `no email can be sent. Set the option 'smtp_url' or SMTP_URL, or bring a mailer: provide: [[Mailer, YourMailer]]. With environment: 'development', messages go to the log.`,
  )
}

/** @param fallback takes the place of an implementation that cannot be built or lacks methods, so that the checks go on. */
function provided<T extends object>(
  contract: Contract<T>,
  fallback: T,
  dependencies: Container,
  onFault: (fault: Fault) => void,
): T {
  const refused = (fault: Fault): T => {
    onFault(fault)
    return fallback
  }
  try {
    const built = dependencies.get(contract)
    const fault = providerFault(contract, built)
    return fault === null ? built : refused(fault)
  } catch (error) {
    if (!(error instanceof UnresolvedDependencyError)) throw error
    return refused(unresolvedFault(error))
  }
}
