/**
 * The reason why application passwords are not accepted in a request, as a sentence; null when they are. A password that is
 * sent over plain HTTP can be read on its way. So it is accepted only within one machine or in the environment `local`.
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
