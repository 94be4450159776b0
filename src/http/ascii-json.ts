/** Maximum number of characters that are escaped at once. */
const chunkLength = 16_384
/** Maximum number of texts that are kept with their escaped forms. */
const maxRecent = 32
/** Length of a `\u` escape. */
const escapeLength = 6

/** Buffers shared by all calls, which run without interruption. */
const source = Buffer.allocUnsafeSlow(2 * chunkLength)
const sourceWords = new DataView(source.buffer)
const target = Buffer.allocUnsafeSlow(escapeLength * chunkLength)
const targetWords = new DataView(target.buffer)

/** The last text of each length, by the remainder of its length. */
const recent: { readonly json: string; readonly escaped: string }[] = []

const beyondLatin1 = /[^\0-\xff]/
const hexadecimal = Buffer.from('0123456789abcdef')
const slash = 0x2f
const backslash = 0x5c
const letterU = 0x75

/**
 * JSON with `/` as `\/` and each character beyond ASCII as `\u` and four lower-case digits, as PHP writes it. Such
 * characters occur inside JSON strings only. ASCII is copied several characters at a time, and escapes are written digit by
 * digit: that takes a quarter of the time of `replaceAll` for HTML, and a fifteenth for text in another alphabet.
 */
export function asAsciiJson(json: string): string {
  const { length } = json
  // Responses with unchanged rows have equal texts. Of 2,500 characters, the comparison takes 0.1 µs and the escaping 2.7 µs.
  const slot = length % maxRecent
  const last = recent[slot]
  if (last?.json === json) return last.escaped
  if (Buffer.byteLength(json) === length && !json.includes('/')) return json
  if (length <= chunkLength) {
    const escaped = escapeChunk(json)
    recent[slot] = { json, escaped }
    return escaped
  }
  let text = ''
  for (let start = 0; start < length; start += chunkLength) text += escapeChunk(json.slice(start, start + chunkLength))
  return text
}

function escapeChunk(json: string): string {
  const targetEnd = beyondLatin1.test(json) ? escapeUtf16(json) : escapeLatin1(json)
  return target.toString('latin1', 0, targetEnd)
}

/** @returns the number of bytes written to the target. */
function escapeLatin1(json: string): number {
  const length = source.write(json, 'latin1')
  const lastWord = length - 4
  let position = 0
  let targetEnd = 0
  for (;;) {
    while (position <= lastWord) {
      const word = sourceWords.getUint32(position, true)
      if (!isCopied(word)) break
      targetWords.setUint32(targetEnd, word, true)
      position += 4
      targetEnd += 4
    }
    if (position === length) return targetEnd
    targetEnd = writeUnit(source[position] as number, targetEnd)
    position += 1
  }
}

/** @returns the number of bytes written to the target. */
function escapeUtf16(json: string): number {
  const length = source.write(json, 'utf16le')
  const lastPair = length - 4
  let position = 0
  let targetEnd = 0
  for (;;) {
    while (position <= lastPair) {
      const pair = sourceWords.getUint32(position, true)
      if (!isPairCopied(pair)) break
      targetWords.setUint16(targetEnd, pair | (pair >>> 8), true)
      position += 4
      targetEnd += 2
    }
    if (position === length) return targetEnd
    targetEnd = writeUnit(sourceWords.getUint16(position, true), targetEnd)
    position += 2
  }
}

/**
 * Whether all four bytes are ASCII and none is a slash. The bit trick may report a slash where there is none; the
 * caller then copies the byte by itself.
 */
function isCopied(word: number): boolean {
  const slashesAreZero = word ^ 0x2f2f2f2f
  const highBits = word | ((slashesAreZero - 0x01010101) & ~slashesAreZero)
  return (highBits & 0x80808080) === 0
}

/** {@link isCopied} for two UTF-16 code units. */
function isPairCopied(pair: number): boolean {
  const slashesAreZero = pair ^ 0x002f002f
  const highBits = (slashesAreZero - 0x00010001) & ~slashesAreZero
  return ((pair & 0xff80ff80) | (highBits & 0x80008000)) === 0
}

/**
 * Writes a UTF-16 code unit, escaped where needed.
 * @returns the index after it.
 */
function writeUnit(unit: number, targetEnd: number): number {
  if (unit < 0x80) {
    if (unit === slash) target[targetEnd++] = backslash
    target[targetEnd] = unit
    return targetEnd + 1
  }
  target[targetEnd] = backslash
  target[targetEnd + 1] = letterU
  target[targetEnd + 2] = hexadecimal[unit >> 12] as number
  target[targetEnd + 3] = hexadecimal[(unit >> 8) & 0xf] as number
  target[targetEnd + 4] = hexadecimal[(unit >> 4) & 0xf] as number
  target[targetEnd + 5] = hexadecimal[unit & 0xf] as number
  return targetEnd + escapeLength
}
