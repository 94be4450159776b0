/**
 * The network that the rate limiter counts attempts under: an IPv4 address, or the /64 network of an IPv6 address,
 * because one client usually controls the whole /64. Text that is not an address is returned in lower case, with at
 * most 64 characters.
 */
export function networkOf(address: string): string {
  const plain = address.slice(0, 64).replace(/%.*$/s, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const tailGroups = tail === '' ? [] : tail.split(':')
    while (groups.length + tailGroups.length < 8) groups.push('0')
    groups.push(...tailGroups)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/**
 * The wider network around a network: the /16 of an IPv4 address, the /32 of an IPv6 network, which providers receive.
 * `''` for text that is not an address.
 */
export function prefixOf(network: string): string {
  if (network.includes(':')) return `${network.split(':', 2).join(':')}::/32`
  const [, prefix] = /^(\d+\.\d+)\.\d+\.\d+$/.exec(network) ?? []
  return prefix === undefined ? '' : `${prefix}.0.0/16`
}

/**
 * The network of the site that a network belongs to: the /48 of an IPv6 network, because providers give a client up to
 * a /48. Other networks are sites themselves.
 */
export function siteOf(network: string): string {
  return network.includes(':') ? `${network.split(':', 3).join(':')}::/48` : network
}

/**
 * Names the sender of a request, for counters and keys: `user 5`, or the network of the address without a login.
 * @param userId 0 for an anonymous caller.
 */
export function requesterOf(userId: number, address: string): string {
  return userId === 0 ? `network ${networkOf(address)}` : `user ${userId}`
}
