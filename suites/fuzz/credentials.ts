import type { Random } from '../support/random.js'
import type { Member } from './protocol.js'
import { hostileTexts } from './values.js'

type Header = readonly [name: string, value: string]

/**
 * Credentials of every kind, right and wrong. Wrong ones come from many addresses, so that the limits of one network do not
 * refuse the right ones as well.
 * @param login who sends right ones; null for anybody.
 */
export function credentialHeaders(random: Random, members: readonly Member[], login: string | null): readonly Header[] {
  const anybody = random.pick(members)
  const member = login === null ? anybody : (members.find((other) => other.login === login) ?? anybody)
  const other = random.pick(members)
  const from: Header = ['X-Forwarded-For', `198.51.100.${member.id}`]
  const fromAfar: Header = ['X-Forwarded-For', `203.0.113.${random.integer(1, 254)}`]
  return random.choose<readonly Header[]>([
    [8, () => [fromAfar]],
    [7, () => [['Authorization', member.basic], from]],
    [5, () => [['Cookie', member.cookie], ['X-WP-Nonce', member.nonce], from]],
    [1, () => [['Cookie', member.cookie], from]],
    [1, () => [['X-WP-Nonce', member.nonce], fromAfar]],
    [1, () => [['Cookie', member.cookie], ['X-WP-Nonce', other.nonce], from]],
    [0.5, () => [['Cookie', changed(member.cookie, random)], ['X-WP-Nonce', member.nonce], fromAfar]],
    [0.5, () => [['Authorization', changed(member.basic, random)], fromAfar]],
    [0.5, () => [['Authorization', wrongBasic(random, member)], fromAfar]],
    [0.5, () => [['Authorization', member.basic], ['Cookie', other.cookie], ['X-WP-Nonce', other.nonce], from]],
  ])
}

/** One character is another one. */
function changed(text: string, random: Random): string {
  const at = random.integer(0, Math.max(0, text.length - 1))
  return `${text.slice(0, at)}${random.pick(['A', '0', '%', '|', '=', ';'])}${text.slice(at + 1)}`
}

function wrongBasic(random: Random, { login }: Member): string {
  const pair = random.pick([
    `${login}:wrong`,
    `${login}:`,
    ':',
    login,
    `nobody:${random.pick(hostileTexts)}`,
    'x@y.example:z',
  ])
  return random.pick([
    `Basic ${Buffer.from(pair).toString('base64')}`,
    `basic ${Buffer.from(pair).toString('base64')}====`,
    'Basic',
    'Basic !!!',
    'Bearer abc',
    'Digest username="ada"',
  ])
}
