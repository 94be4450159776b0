/**
 * Why application passwords may not be used in a request, as a sentence; null when they may. A password sent over
 * plain HTTP can be read on its way, so it is taken only where it does not leave the machine, or on a developer's.
 * Rules: docs/wire.md#availability.
 *
 * @param environment `production`, `staging`, `development` or `local`.
 * @param request whether it came over TLS, to us or to a trusted proxy; whether it came from this machine and nothing
 *   forwarded it.
 */
export function whyUnavailable(
  environment: string,
  { secure, local }: { readonly secure: boolean; readonly local: boolean },
): string | null {
  if (secure || local || environment === 'local') return null
  return (
    'This request came over plain HTTP: use HTTPS, name the proxy that ends it in trusted_proxies, ' +
    'or set the environment to local.'
  )
}
