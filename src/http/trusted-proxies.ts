import { BlockList, isIP } from 'node:net'

/** The origin of a request, after the headers of trusted proxies were read. */
export interface Origin {
  readonly address: string
  readonly secure: boolean
  /** The peer has a loopback address, and the request has no forwarding header. */
  readonly local: boolean
  /** Given by a trusted proxy. */
  readonly requestId?: string | undefined
}

/** The remote end of a connection. It is the same for all requests of the connection. */
export interface Peer {
  readonly address: string
  /** The peer is a trusted proxy. */
  readonly isTrusted: boolean
  readonly isLoopback: boolean
}

type Headers = Readonly<Record<string, string | undefined>>

/** The forwarding headers that nearly every proxy sends. */
const usualHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** The forwarding headers of other proxies, load balancers and content delivery networks. */
const forwardingHeader =
  /^(?:x-forwarded(?:-.*)?|forwarded-for|x-original-.*for.*|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|cf-ray|fastly-client-ip|front-end-https)$/

/**
 * The configured trusted proxies. `X-Forwarded-For` and `X-Forwarded-Proto` are read only when the peer is one of them:
 * other clients could forge the headers. The client is the last address in `X-Forwarded-For` that is not a trusted
 * proxy.
 */
export class TrustedProxies {
  readonly #trusted = new BlockList()
  /** False, which is usual, skips the search in the list. */
  readonly #hasProxies: boolean
  #onMissingScheme: ((address: string) => void) | null

  /**
   * @param trusted IP addresses or CIDR ranges.
   * @param onMissingScheme is called once, with the address of a trusted proxy whose forwarded request over plain HTTP has no
   *   `X-Forwarded-Proto`: whether its client used TLS is then unknown.
   * @throws RangeError for an entry that is neither.
   */
  constructor(trusted: readonly string[], onMissingScheme: ((address: string) => void) | null = null) {
    this.#hasProxies = trusted.length > 0
    this.#onMissingScheme = onMissingScheme
    for (const entry of trusted) {
      const range = rangeOf(entry)
      if (range === null) throw new RangeError(`trusted_proxies: ${proxyDiagnostic(entry)}`)
      this.#trusted.addSubnet(range.address, range.bits, range.family)
    }
  }

  /** @param socketAddress remote address of the socket. */
  peerOf(socketAddress: string): Peer {
    const address = plainAddress(socketAddress)
    return {
      address,
      isTrusted: this.#hasProxies && contains(this.#trusted, address),
      isLoopback: isLoopback(address),
    }
  }

  /**
   * @param encrypted whether the connection uses TLS.
   * @param headers by lower-case name.
   */
  originOf({ address, isTrusted, isLoopback }: Peer, encrypted: boolean, headers: Headers): Origin {
    // A trusted proxy on this machine sends a forwarding header. Other programs on this machine send none.
    const local = isLoopback && !wasForwarded(headers)
    if (!isTrusted) return { address, secure: encrypted, local }
    const proto = (headers['x-forwarded-proto'] ?? '').split(',').at(-1)?.trim().toLowerCase()
    // A health check of the proxy itself has no forwarding header.
    if (!proto && !encrypted && this.#onMissingScheme !== null && wasForwarded(headers)) {
      this.#onMissingScheme(address)
      this.#onMissingScheme = null
    }
    return {
      address: this.#clientAddress(address, headers['x-forwarded-for'] ?? ''),
      secure: proto === undefined || proto === '' ? encrypted : proto === 'https',
      local,
      requestId: requestIdIn(headers),
    }
  }

  #clientAddress(peer: string, forwardedFor: string): string {
    let client = peer
    for (const hop of forwardedFor.split(',').reverse()) {
      const address = plainAddress(withoutPort(hop.trim()))
      if (isIP(address) === 0) return client
      client = address
      if (!contains(this.#trusted, address)) return client
    }
    return client
  }
}

/** The id that a proxy has given to a request: `X-Request-Id`, else the trace of W3C's `traceparent`. */
function requestIdIn(headers: Headers): string | undefined {
  const id = headers['x-request-id']
  // Other characters could forge lines in logs that are not JSON.
  if (id !== undefined && /^[\w.:+/=@-]{1,128}$/.test(id)) return id
  const [, trace] = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/.exec(headers['traceparent'] ?? '') ?? []
  return trace === undefined || /^0+$/.test(trace) ? undefined : trace
}

function isLoopback(address: string): boolean {
  return address === '::1' || (address.startsWith('127.') && isIP(address) === 4)
}

function wasForwarded(headers: Headers): boolean {
  for (const name of usualHeaders) if (headers[name] !== undefined) return true
  // Reading every header name takes ten times as long. Only requests with credentials need it: such a request must not
  // have reached the proxy unencrypted.
  if (headers['authorization'] === undefined && headers['cookie'] === undefined) return false
  for (const name in headers) if (forwardingHeader.test(name)) return true
  return false
}

/** The message about an invalid entry of `trusted_proxies`; null for a valid entry. */
export function proxyDiagnostic(entry: unknown): string | null {
  if (typeof entry === 'string' && rangeOf(entry) !== null) return null
  return `'${String(entry)}' is neither an IP address nor a range such as 10.0.0.0/8.`
}

function rangeOf(entry: string) {
  const [base = '', bits, ...rest] = entry.split('/')
  const address = plainAddress(base)
  const version = isIP(address)
  const maxBits = version === 6 ? 128 : 32
  const size = bits === undefined ? maxBits : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  if (version === 0 || rest.length > 0 || address.includes('%') || !(size <= maxBits)) return null
  return { address, bits: size, family: version === 6 ? ('ipv6' as const) : ('ipv4' as const) }
}

/** Some proxies add the client's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop
}

/** Turns an IPv4-mapped IPv6 address such as `::ffff:10.0.0.1` into the IPv4 address. Sockets report both forms. */
function plainAddress(address: string): string {
  if (!address.startsWith('::')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped !== undefined && isIP(mapped) === 4 ? mapped : address
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
