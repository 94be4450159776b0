import { PagesForHttpAndHttps } from '../pages/pages-over-tls.js'
import type { UploadSettings } from '../pages/stored-uploads.js'
import type { Log } from '../log/log.js'
import type { Application } from './application.js'
import type { Authentication } from './authentication.js'
import type { Content } from './content.js'
import type { ResolvedOptions } from './options.js'
import type { Rest } from './rest.js'

interface PagesDependencies {
  readonly application: Application
  readonly options: ResolvedOptions
  readonly content: Content
  readonly authentication: Authentication
  readonly rest: Rest
  readonly log: Log
}

/** Builds what answers outside the REST prefix: pages for visitors, login and profile, static files and uploads. */
export function createPages(dependencies: PagesDependencies): PagesForHttpAndHttps {
  const { application, options, content, authentication, log } = dependencies
  const { pipeline, root } = dependencies.rest
  const hasRoute = (path: string): boolean => pipeline.table.match(path, 'GET') !== null
  return new PagesForHttpAndHttps({
    content,
    authentication,
    views: application.views,
    files: application.files,
    uploads: uploadSettings(options),
    rest: { root, hasRoute, cors: options.cors },
    environment: options.environment,
    clock: options.clock,
    log,
  })
}

/** Where stored uploads are, and who may read them; null without the option. */
function uploadSettings(options: ResolvedOptions): UploadSettings | null {
  const { uploads, rest_default_capability: defaultCapability, stream_timeout: seconds } = options
  if (uploads === undefined) return null
  const { folder, permission = defaultCapability } = uploads
  return { folder, permission, idle: seconds * 1000 }
}
