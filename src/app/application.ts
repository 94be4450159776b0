import type { Container } from '../container/container.js'
import type { Readiness } from './readiness.js'
import type { Mailer } from '../mail/mailer.js'
import type { PublicFiles } from '../pages/public-files.js'
import type { ServedRoute, RouteSource } from '../routing/handler-class.js'
import type { SanitizeCallback } from '../validation/rules.js'
import type { ViewEngineInterface } from '../views/view-engine.js'

/** The code and the files of an application, found and checked. */
export interface Application {
  readonly routes: readonly ServedRoute[]
  /** The instance of a handler class, or the dependencies of an endpoint. Empty when it could not be built. */
  readonly instanceOf: (source: RouteSource) => object
  readonly container: Container
  readonly readiness: Readiness
  /** By the name that `sanitize_callback` gives: the sanitisers of this package and those of the option `sanitizers`. */
  readonly sanitizers: ReadonlyMap<string, SanitizeCallback>
  readonly views: ViewEngineInterface
  /** Null when no mail can be sent. */
  readonly mailer: Mailer | null
  /** The folder `public`; null without one. */
  readonly files: PublicFiles | null
}
