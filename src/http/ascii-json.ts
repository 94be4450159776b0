/** Used again by every answer: nothing is waited for between the filling and the reading. Longer texts bring their own. */
const sharedSource = Buffer.allocUnsafeSlow(65_536)
const sharedWords = new DataView(sharedSource.buffer)
const target = Buffer.allocUnsafeSlow(65_536)
const targetWords = new DataView(target.buffer)
/** Bytes that one step below writes at most: a pair of surrogates, spelt out. */
const maxStep = 12

const hexadecimal = Buffer.from('0123456789abcdef')
const slash = 0x2f
const backslash = 0x5c
const letterU = 0x75

/**
 * JSON with `/` as `\/` and everything beyond ASCII as `\u` and four lower-case digits: outside texts there is no such
 * character. Bytes are copied four at a time, which takes half the time of `replaceAll` for HTML, and a sixth for text in
 * another alphabet.
 * @param json without lone surrogates.
 */
export function asAsciiJson(json: string): string {
  const length = Buffer.byteLength(json)
  if (length === json.length && !json.includes('/')) return json
  const isShort = length <= sharedSource.length
  const source = isShort ? sharedSource : Buffer.allocUnsafeSlow(length)
  const sourceWords = isShort ? sharedWords : new DataView(source.buffer)
  source.write(json)
  let text = ''
  let at = 0
  let end = 0
  for (;;) {
    const lastStep = Math.min(length - 4, at + (target.length - maxStep - end))
    while (at <= lastStep) {
      const word = sourceWords.getUint32(at, true)
      if (!isCopied(word)) break
      targetWords.setUint32(end, word, true)
      at += 4
      end += 4
    }
    if (at === length) break
    if (end > target.length - maxStep) {
      text += target.toString('latin1', 0, end)
      end = 0
    }
    const first = byteAt(source, at)
    if (first < 0x80) {
      if (first === slash) target[end++] = backslash
      target[end++] = first
      at += 1
    } else if (first < 0xe0) {
      end = spell(((first & 0x1f) << 6) | low(source, at + 1), end)
      at += 2
    } else if (first < 0xf0) {
      end = spell(((first & 0x0f) << 12) | (low(source, at + 1) << 6) | low(source, at + 2), end)
      at += 3
    } else {
      const high = ((first & 0x07) << 18) | (low(source, at + 1) << 12)
      const beyond = (high | (low(source, at + 2) << 6) | low(source, at + 3)) - 0x10000
      end = spell(0xd800 | (beyond >> 10), end)
      end = spell(0xdc00 | (beyond & 0x3ff), end)
      at += 4
    }
  }
  return text + target.toString('latin1', 0, end)
}

/** All four bytes are ASCII and no slash. Where a byte is taken for a slash that is none, it goes alone. */
function isCopied(word: number): boolean {
  const slashesAreZero = word ^ 0x2f2f2f2f
  const highBits = word | ((slashesAreZero - 0x01010101) & ~slashesAreZero)
  return (highBits & 0x80808080) === 0
}

function byteAt(source: Buffer, index: number): number {
  return source[index] as number
}

/** What a byte after the first adds to its character. */
function low(source: Buffer, index: number): number {
  return byteAt(source, index) & 0x3f
}

/** @returns where the next byte goes. */
function spell(unit: number, end: number): number {
  target[end] = backslash
  target[end + 1] = letterU
  target[end + 2] = byteAt(hexadecimal, unit >> 12)
  target[end + 3] = byteAt(hexadecimal, (unit >> 8) & 0xf)
  target[end + 4] = byteAt(hexadecimal, (unit >> 4) & 0xf)
  target[end + 5] = byteAt(hexadecimal, unit & 0xf)
  return end + 6
}
