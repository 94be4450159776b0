/**
 * Why a request cannot use application passwords, as a sentence; null when it can. A password that is sent over plain
 * HTTP can be read in transit. It is accepted only from the same machine, or in the environment `local`.
 * Rules: docs/wire.md#availability.
 *
 * @param environment `production`, `staging`, `development` or `local`.
 * @param request `secure`: the service or a trusted proxy received it over TLS. `local`: it comes from the same machine
 *   and no proxy forwarded it.
 */
export function whyUnavailable(
  environment: string,
  { secure, local }: { readonly secure: boolean; readonly local: boolean },
): string | null {
  if (secure || local || environment === 'local') return null
  return (
    'This request came over plain HTTP: use HTTPS, list the proxy that terminates TLS in trusted_proxies ' +
    'and let it send X-Forwarded-Proto: https, or set the environment to local.'
  )
}
