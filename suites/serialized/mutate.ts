import { decodeBytes } from '../../src/php/text.js'
import type { Random } from '../support/random.js'

/** Pieces of the format. */
const pieces = [
  'a:1:{',
  'a:0:{}',
  '}',
  ';',
  ':',
  '"',
  'i:',
  'i:0;',
  'i:-1;',
  'i:+1;',
  'i:00;',
  'i:9223372036854775808;',
  'd:',
  'd:.5;',
  'd:1.;',
  'd:1e5;',
  'd:NAN;',
  'd:1e999;',
  'b:1;',
  'b:2;',
  'N;',
  's:',
  's:0:"";',
  's:1:"',
  's:99999999999999:"',
  'a:999999999:{',
  'a:-1:{',
  'O:8:"stdClass":0:{}',
  'O:-1:"":0:{}',
  'O:0:"":0:{}',
  'C:3:"Foo":2:{xx}',
  'E:3:"A:B";',
  'R:1;',
  'r:2;',
  'R:99;',
  'S:1:"\\61";',
  's:1:"5";',
  's:2:"05";',
  '\0',
  '-',
  '+',
  '{',
  '\n',
  ' ',
]

/** A text near to a valid one. Bytes that are not UTF-8 are as in `php/text.ts`. */
export function mutated(text: string, random: Random): string {
  let bytes = Buffer.from(text)
  const count = random.integer(1, 3)
  for (let change = 0; change < count; change += 1) bytes = Buffer.from(changed(bytes, random))
  return decodeBytes(bytes)
}

function changed(bytes: Buffer, random: Random): Uint8Array {
  const at = random.integer(0, bytes.length)
  const end = Math.min(bytes.length, at + random.integer(1, 8))
  const join = (middle: Uint8Array, from: number): Uint8Array =>
    Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(from)])
  return random.choose<Uint8Array>([
    [4, () => join(Buffer.from(random.pick(pieces)), at)],
    [3, () => join(Buffer.from(random.pick(pieces)), end)],
    [2, () => join(Buffer.alloc(0), end)],
    [2, () => join(Buffer.from([random.integer(0, 255)]), Math.min(bytes.length, at + 1))],
    [2, () => digitChanged(bytes, random)],
    [1, () => bytes.subarray(0, at)],
    [1, () => join(bytes.subarray(at, end), at)],
    [1, () => nested(bytes, random)],
  ])
}

/** Lengths and counts are what most attacks change. */
function digitChanged(bytes: Buffer, random: Random): Uint8Array {
  const digits = [...bytes.keys()].filter((index) => (bytes[index] ?? 0) >= 0x30 && (bytes[index] ?? 0) <= 0x39)
  if (digits.length === 0) return bytes
  const copy = Buffer.from(bytes)
  copy[random.pick(digits)] = random.integer(0x30, 0x39)
  return copy
}

function nested(bytes: Buffer, random: Random): Uint8Array {
  const levels = random.pick([1, 5, 511, 513, 3000])
  return Buffer.concat([Buffer.from('a:1:{i:0;'.repeat(levels)), bytes, Buffer.from('}'.repeat(levels))])
}
