import type { ResolvedOptions } from './options.js'

/**
 * Whether login cookies would lack the attribute Secure although the service is meant to be reached over a network.
 * @param host that the service listens on.
 */
export function isWithoutTls(
  home: string,
  { environment, trusted_proxies }: Pick<ResolvedOptions, 'environment' | 'trusted_proxies'>,
  host = 'localhost',
): boolean {
  if (environment === 'development' || environment === 'local' || /^https:/i.test(home)) return false
  return trusted_proxies.length > 0 || !isLoopback(new URL(home).hostname) || !isLoopback(host)
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || host === '[::1]' || host.startsWith('127.')
