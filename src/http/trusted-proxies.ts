import { BlockList, isIP } from 'node:net'

/** Where a request really comes from. */
export interface Origin {
  readonly address: string
  readonly secure: boolean
  /** A loopback peer sent it, without a forwarding header. */
  readonly local: boolean
}

/** The other end of a connection, which is the same for all its requests. */
export interface Peer {
  readonly address: string
  /** One of the trusted proxies. */
  readonly isTrusted: boolean
  readonly isLoopback: boolean
}

type Headers = Readonly<Record<string, string | undefined>>

/** What nearly every proxy sends, looked up one by one. */
const usualHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Everything by which a proxy, a load balancer or a content network says that it passed a request on. */
const forwardingHeader =
  /^(?:x-forwarded(?:-.*)?|forwarded-for|x-original-.*for.*|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|cf-ray|fastly-client-ip|front-end-https)$/

/**
 * Which proxies are believed. Only a trusted peer's `X-Forwarded-For` and `X-Forwarded-Proto` count; the caller is the
 * first address from the right that is not itself a trusted proxy.
 * @param trusted addresses or CIDR ranges. @throws RangeError for anything else.
 */
export class TrustedProxies {
  readonly #trusted = new BlockList()
  /** Without any, which is usual, no list is searched. */
  readonly #trustsAny: boolean

  constructor(trusted: readonly string[]) {
    this.#trustsAny = trusted.length > 0
    for (const entry of trusted) {
      const range = rangeOf(entry)
      if (range === null) throw new RangeError(`trusted_proxies: ${faultyProxy(entry)}`)
      this.#trusted.addSubnet(range.address, range.bits, range.family)
    }
  }

  /** @param sent the address as the socket says it. */
  peerOf(sent: string): Peer {
    const address = plainAddress(sent)
    return {
      address,
      isTrusted: this.#trustsAny && contains(this.#trusted, address),
      isLoopback: isLoopback(address),
    }
  }

  /** @param encrypted whether it is a TLS connection. @param headers by lower-case name. */
  originOf({ address, isTrusted, isLoopback }: Peer, encrypted: boolean, headers: Headers): Origin {
    // A trusted proxy on this machine sets a forwarding header; other programs on it set none.
    const local = isLoopback && !wasForwarded(headers)
    if (!isTrusted) return { address, secure: encrypted, local }
    const proto = (headers['x-forwarded-proto'] ?? '').split(',').at(-1)?.trim().toLowerCase()
    return {
      address: this.#caller(address, headers['x-forwarded-for'] ?? ''),
      secure: proto === undefined || proto === '' ? encrypted : proto === 'https',
      local,
    }
  }

  #caller(peer: string, hops: string): string {
    let caller = peer
    for (const hop of hops.split(',').reverse()) {
      const address = plainAddress(withoutPort(hop.trim()))
      if (isIP(address) === 0) return caller
      caller = address
      if (!contains(this.#trusted, address)) return caller
    }
    return caller
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || (address.startsWith('127.') && isIP(address) === 4)
}

function wasForwarded(headers: Headers): boolean {
  for (const name of usualHeaders) if (headers[name] !== undefined) return true
  // To read every name takes ten times as long, and only credentials must not have travelled in the clear.
  if (headers['authorization'] === undefined && headers['cookie'] === undefined) return false
  for (const name in headers) if (forwardingHeader.test(name)) return true
  return false
}

/** What is wrong with an entry of `trusted_proxies`, as a sentence; null when nothing is. */
export function faultyProxy(entry: unknown): string | null {
  if (typeof entry === 'string' && rangeOf(entry) !== null) return null
  return `'${String(entry)}' is neither an IP address nor a range such as 10.0.0.0/8.`
}

function rangeOf(entry: string) {
  const [given = '', bits, ...rest] = entry.split('/')
  const address = plainAddress(given)
  const version = isIP(address)
  const most = version === 6 ? 128 : 32
  const size = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  if (version === 0 || rest.length > 0 || address.includes('%') || !(size <= most)) return null
  return { address, bits: size, family: version === 6 ? ('ipv6' as const) : ('ipv4' as const) }
}

/** Some proxies name the port of the caller as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop
}

/** `::ffff:10.0.0.1` is 10.0.0.1, however the socket spells it. */
function plainAddress(address: string): string {
  if (!address.startsWith('::')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped !== undefined && isIP(mapped) === 4 ? mapped : address
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
