import { toText } from '../php/cast.js'

/** A number from 0 to 255, with or without leading zeros. */
const octet = String.raw`(?:25[0-5]|2[0-4]\d|[01]?\d\d?)`
// WordPress accepts a line feed at the end.
const ipv4 = new RegExp(String.raw`^(?:${octet}\.){3}${octet}\n?$`)
// Within an IPv6 address, WordPress does not accept leading zeros and a line feed.
const octetWithoutZeros = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const embeddedIpv4 = new RegExp(String.raw`^(?:${octetWithoutZeros}\.){3}${octetWithoutZeros}$`)

/**
 * `rest_is_ip_address`: whether the value is an IPv4 address, with or without leading zeros, or an IPv6 address without
 * a zone.
 */
export function isIpAddress(value: unknown): boolean {
  const text = toText(value)
  return ipv4.test(text) || isIpv6(text)
}

function isIpv6(text: string): boolean {
  const [before = '', after, afterSecond] = text.split('::')
  // `::` shortens an address once at most.
  if (afterSecond !== undefined) return false
  const isShortened = after !== undefined
  const left = groupsOf(before, !isShortened)
  const right = isShortened ? groupsOf(after, true) : 0
  if (left === null || right === null) return false
  return isShortened ? left + right <= 8 : left === 8
}

/** Number of IPv6 groups in the text, where an IPv4 address at the end counts as two; null when a group is invalid. */
function groupsOf(text: string, mayEndInIpv4: boolean): number | null {
  if (text === '') return 0
  const groups = text.split(':')
  const last = groups.at(-1) ?? ''
  const hasIpv4 = mayEndInIpv4 && last.includes('.')
  if (hasIpv4 && !embeddedIpv4.test(last)) return null
  const hexadecimal = hasIpv4 ? groups.slice(0, -1) : groups
  return hexadecimal.every((group) => /^[\da-f]{1,4}$/i.test(group)) ? groups.length + (hasIpv4 ? 1 : 0) : null
}
