import { AccountNotices } from '../auth/account-notices.js'
import { ApplicationPasswords } from '../auth/application-passwords.js'
import { Sessions } from '../auth/sessions.js'
import { Container } from '../container/container.js'
import { Users } from '../content/users.js'
import { builtInRoutes } from '../endpoints/built-in-handlers.js'
import { RestContext } from '../endpoints/rest-context.js'
import { UserProfiles } from '../endpoints/user-profiles.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import type { AroundFunction } from '../pipeline/around.js'
import { compileRoutes } from '../pipeline/compile.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { Application } from './application.js'
import type { Authentication } from './authentication.js'
import type { Content } from './content.js'
import { buildInstances } from './instances.js'
import type { ResolvedOptions } from './options.js'

export interface EndpointsDependencies {
  readonly application: Application
  readonly options: ResolvedOptions
  readonly content: Content
  readonly authentication: Authentication
  readonly log: Log
  /** Endpoints that are served without having been declared or checked: for replaying recorded routes. */
  readonly uncheckedEndpoints: readonly Endpoint[]
}

/** The endpoints of the application and of the service itself, but for the index and batch. */
export function compiledEndpoints(dependencies: EndpointsDependencies): readonly Endpoint[] {
  const { application, options, log, uncheckedEndpoints } = dependencies
  const { rest_default_capability: defaultCapability } = options
  const { sanitizers } = application
  const builtInInstances = buildBuiltInInstances(dependencies)
  return [
    ...uncheckedEndpoints,
    ...compileRoutes(application.routes, {
      sanitizers,
      defaultCapability,
      instanceOf: application.instanceOf,
      around: (options.around ?? []) as readonly AroundFunction[],
      bind: application.container.bindFunction,
      onLateFailure: (err, requestId) => logError(log, 'handler-not-awaited', { err, requestId }),
    }),
    ...compileRoutes(builtInRoutes(), {
      sanitizers,
      defaultCapability,
      instanceOf: (source) => builtInInstances.get(source) ?? {},
    }),
  ]
}

/** Builds the handlers of the service's own routes. @returns the instances by their class. */
function buildBuiltInInstances({ options, content, authentication }: EndpointsDependencies) {
  const { storage, site, roles, users } = content
  const container = new Container([
    [Users, users],
    [Sessions, authentication.sessions],
    [ApplicationPasswords, authentication.applicationPasswords],
    [UserProfiles, new UserProfiles({ storage, roles, site, prefix: options.table_prefix })],
    [AccountNotices, authentication.accountNotices],
    [
      RestContext,
      new RestContext(
        options.environment,
        authentication.cookies,
        options.clock,
        options.wordpressConfig !== null,
        authentication.sessions,
        site,
      ),
    ],
  ])
  return buildInstances(builtInRoutes(), container).instances
}
