import { BlockList, isIP } from 'node:net'

/** Where a request really comes from. */
export interface Origin {
  readonly address: string
  readonly secure: boolean
  readonly local: boolean
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/**
 * Which proxies are believed. Only a trusted peer's `X-Forwarded-For` and `X-Forwarded-Proto` count; the caller is the
 * first address from the right that is not itself a trusted proxy.
 * @param trusted addresses or CIDR ranges. @throws RangeError for anything else.
 */
export class Forwarding {
  readonly #trusted = new BlockList()

  constructor(trusted: readonly string[]) {
    for (const entry of trusted) this.#trust(entry)
  }

  #trust(entry: string): void {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) {
      throw new RangeError(`trusted_proxies: '${entry}' is neither an IP address nor a range such as 10.0.0.0/8.`)
    }
    if (bits === undefined) this.#trusted.addAddress(address, family)
    else this.#trusted.addSubnet(address, Number(bits), family)
  }

  originOf(peer: string, encrypted: boolean, headers: Headers): Origin {
    const address = plainAddress(peer)
    if (!contains(this.#trusted, address)) {
      const forwarded = forwardingHeaders.some((name) => headers[name] !== undefined)
      return { address, secure: encrypted, local: !forwarded && contains(loopback, address) }
    }
    const proto = text(headers['x-forwarded-proto']).split(',').at(-1)?.trim().toLowerCase()
    return {
      address: this.#caller(address, headers),
      secure: proto === undefined || proto === '' ? encrypted : proto === 'https',
      local: false,
    }
  }

  #caller(peer: string, headers: Headers): string {
    let caller = peer
    for (const hop of text(headers['x-forwarded-for']).split(',').reverse()) {
      const address = plainAddress(hop.trim())
      if (isIP(address) === 0) return caller
      caller = address
      if (!contains(this.#trusted, address)) return caller
    }
    return caller
  }
}

function text(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(',') ?? '')
}

/** `::ffff:10.0.0.1` is 10.0.0.1, however the socket spells it. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
