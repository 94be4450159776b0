import { fault } from '../base/fault.js'
import { RecordTypes } from '../content/record-types.js'
import { proxyDiagnostic } from '../http/trusted-proxies.js'
import { hasRedisPackage } from '../auth/redis-driver.js'
import { hasSmtpPackage } from '../mail/smtp-mailer.js'
import type { ServedRoute } from '../routing/handler-class.js'
import { faultsOfCacheTags } from './cache-tag-faults.js'
import { faultsOfRoutes, type CheckContext } from './check.js'
import { missingRedisPackage, missingSmtpPackage } from './implementations.js'
import type { ResolvedOptions } from './options.js'
import { faultsOfFileArguments } from './file-argument-faults.js'
import { servedFolderFaults, type OptionFault } from './served-folders.js'
import { faultsOfIdempotencyKeys } from './idempotency-key-faults.js'
import { sharesLimits } from './shared-limits.js'
import { faultsOfUnsharedLimits } from './rate-limit-faults.js'
import type { Diagnostic } from './startup-error.js'

/**
 * The faults of options that `resolveOptions` does not find: a missing package, options that exclude each other, a wrong address of
 * a proxy, a folder that cannot be served.
 */
export function faultsOfOptions(options: ResolvedOptions): readonly OptionFault[] {
  const faults: OptionFault[] = []
  if (options.smtp_url !== undefined && !hasSmtpPackage())
    faults.push({ option: 'smtp_url', fault: missingSmtpPackage })
  if (options.redis_url !== undefined && !hasRedisPackage())
    faults.push({ option: 'redis_url', fault: missingRedisPackage })
  // The database of a WordPress site gets no table of ours.
  if (options.wordpressConfig !== null && (options.jobs ?? []).length > 0)
    faults.push({ option: 'jobs', fault: jobsBesideWordPress })
  for (const entry of options.trusted_proxies) {
    const message = proxyDiagnostic(entry)
    if (message) faults.push({ option: 'trusted_proxies', fault: { code: 'trusted-proxy-invalid', message } })
  }
  return [...faults, ...servedFolderFaults(options)]
}

/** The faults of declarations, by themselves and together with the options. */
export function faultsOfDeclarations(
  routes: readonly ServedRoute[],
  options: ResolvedOptions,
  context: CheckContext,
): readonly Diagnostic[] {
  const typeNames = [...new RecordTypes().all().map(({ name }) => name), ...Object.keys(options.record_types ?? {})]
  const isOnSite = options.wordpressConfig !== null
  return [
    ...faultsOfRoutes(routes, context),
    ...faultsOfCacheTags(routes, typeNames),
    ...faultsOfFileArguments(routes, options.body_limit),
    ...(isOnSite && !sharesLimits(options) ? faultsOfUnsharedLimits(routes) : []),
    ...(isOnSite && options.service_database === undefined ? faultsOfIdempotencyKeys(routes) : []),
  ]
}

const jobsBesideWordPress = fault(
  'jobs-beside-wordpress',
  'jobs are kept in a table of their own, and the database of a WordPress site gets none. Leave jobs out, or use after_commit or request.defer, or a database of your own in place of the option wordpress.',
)
