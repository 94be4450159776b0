import { serialize } from '../../src/php/serialize.js'
import type { Random } from '../support/random.js'

type Make = (random: Random) => string

const time = (random: Random): number => random.integer(1_600_000_000, 1_900_000_000)
const hex = (random: Random, length: number): string => random.text(length, '0123456789abcdef')
const word = (random: Random): string =>
  random.text(random.integer(1, 12), 'abcdefghijklmnopqrstuvwxyz_ÄÖé😀-0123456789"\\;:{}')

const mapOf = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.assign(Object.create(null) as Record<string, unknown>, Object.fromEntries(entries))

const times = <T>(random: Random, max: number, make: (index: number) => T): T[] =>
  Array.from({ length: random.integer(0, max) }, (_, index) => make(index))

const text = (value: string): string => `s:${Buffer.byteLength(value)}:"${value}";`

/** Values as the tables of WordPress sites have them: of WordPress itself, and as plugins store them. */
export const shapes: Readonly<Record<string, Make>> = {
  wp_capabilities: (random) =>
    serialize(
      mapOf([['administrator', true], ...times(random, 20, () => [word(random), random.chance(0.8)] as const)]),
    ),
  session_tokens: (random) =>
    serialize(
      mapOf(
        times(random, 4, () => [
          hex(random, 64),
          { expiration: time(random), ip: '192.0.2.7', ua: `Mozilla/5.0 ${word(random)}`, login: time(random) },
        ]),
      ),
    ),
  _application_passwords: (random) =>
    serialize(
      times(random, 4, () => ({
        uuid: hex(random, 36),
        app_id: '',
        name: word(random),
        password: `$P$B${random.text(30)}`,
        created: time(random),
        last_used: random.chance(0.5) ? time(random) : null,
        last_ip: null,
      })),
    ),
  cron: (random) => {
    const events = times(random, 6, () => [
      String(time(random)),
      {
        [word(random)]: {
          [hex(random, 32)]: { schedule: random.chance(0.5) ? 'daily' : false, args: [], interval: 86_400 },
        },
      },
    ])
    return serialize(mapOf([...(events as [string, unknown][]), ['version', 2]]))
  },
  _wp_attachment_metadata: (random) =>
    serialize({
      width: random.integer(1, 5000),
      height: random.integer(1, 5000),
      file: `2026/11/${word(random)}.jpg`,
      sizes: mapOf(
        times(random, 5, () => [
          word(random),
          { file: word(random), width: 150, height: 150, 'mime-type': 'image/jpeg' },
        ]),
      ),
      image_meta: { aperture: random.chance(0.5) ? '0' : random.next() * 8, keywords: [], created_timestamp: '0' },
    }),
  widgets: (random) =>
    serialize(
      mapOf([
        ['2', { title: word(random), content: `<p>${word(random)}</p>` }],
        ['_multiwidget', 1],
        ['1', []],
      ]),
    ),
  user_roles: (random) =>
    serialize(
      mapOf(
        times(random, 6, () => [
          word(random),
          { name: word(random), capabilities: mapOf(times(random, 30, () => [word(random), true])) },
        ]),
      ),
    ),
  object: (random) => `O:8:"stdClass":2:{s:4:"last";i:${time(random)};s:7:"\0*\0list";a:1:{i:0;O:8:"WP_Thing":0:{}}}`,
  'list with objects': (random) =>
    `a:3:{s:4:"name";${text(word(random))}s:6:"object";O:8:"stdClass":1:{s:1:"a";${text(word(random))}}s:1:"n";d:${random.next()};}`,
  'own serialisation': (random) =>
    `a:2:{i:0;C:11:"ArrayObject":33:{x:i:0;a:1:{s:1:"a";i:${random.integer(1, 9)};};m:a:0:{}}i:1;i:2;}`,
  references: () => 'a:3:{i:0;a:1:{i:0;i:1;}i:1;R:2;i:2;O:8:"stdClass":1:{s:1:"a";r:1;}}',
  enumeration: () => 'a:1:{s:6:"status";E:11:"Suit:Hearts";}',
  'large integers': (random) => `a:2:{i:0;i:9007199254740993;s:1:"b";i:-9223372036854775${random.integer(100, 808)};}`,
  'escaped string': () => 'a:1:{i:0;S:3:"a\\00\\ff";}',
  floats: (random) => `a:3:{i:0;d:${random.next()};i:1;d:1.0E+25;i:2;d:-INF;}`,
}
