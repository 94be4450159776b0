/**
 * PHP's strings are bytes. Here, a byte that is not part of valid UTF-8 is the lone surrogate U+DC00 + byte, so that
 * decoding loses nothing. A string is therefore well-formed exactly when its bytes are valid UTF-8. Lone surrogates
 * have no other source: JSON bodies with a lone surrogate escape are rejected, as in WordPress.
 */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder('utf-8', { ignoreBOM: true })
/** Arguments per call of `String.fromCharCode`. Spreading a long list overflows the stack. */
const maxCharacters = 4096

/** The text of these bytes. Each invalid byte becomes the lone surrogate U+DC00 + byte. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return decodeInvalid(bytes)
  }
}

/**
 * Decodes each run of valid bytes with one call and invalid bytes one by one, which takes linear time for any input.
 */
function decodeInvalid(bytes: Uint8Array): string {
  const parts: string[] = []
  let index = 0
  while (index < bytes.length) {
    const start = index
    for (let length = sequenceLength(bytes, index); length > 0; length = sequenceLength(bytes, index)) index += length
    if (index > start) parts.push(strict.decode(bytes.subarray(start, index)))
    const invalid: number[] = []
    while (index < bytes.length && invalid.length < maxCharacters && sequenceLength(bytes, index) === 0) {
      invalid.push(0xdc00 + (bytes[index] ?? 0))
      index += 1
    }
    parts.push(String.fromCharCode(...invalid))
  }
  return parts.join('')
}

/** Length in bytes of the valid UTF-8 sequence at `index`; 0 when there is none. */
function sequenceLength(bytes: Uint8Array, index: number): number {
  const first = bytes[index] ?? 0
  if (first < 0x80) return index < bytes.length ? 1 : 0
  const length =
    first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0
  if (length === 0 || index + length > bytes.length) return 0
  for (let offset = 1; offset < length; offset += 1) if (((bytes[index + offset] ?? 0) & 0xc0) !== 0x80) return 0
  const second = bytes[index + 1] ?? 0
  if (first === 0xe0 && second < 0xa0) return 0
  if (first === 0xed && second > 0x9f) return 0
  if (first === 0xf0 && second < 0x90) return 0
  if (first === 0xf4 && second > 0x8f) return 0
  return length
}

/** The bytes of a text returned by {@link decodeBytes}. */
export function encodeText(text: string): Uint8Array {
  // `Buffer.from` takes half the time of a `TextEncoder`. Authentication encodes eight texts per request.
  if (text.isWellFormed()) return Buffer.from(text)
  const bytes = Buffer.allocUnsafe(byteLength(text))
  let end = 0
  for (const [run] of text.matchAll(/[\udc80-\udcff]+|[^\udc80-\udcff]+/gu)) {
    if (!isInvalid(run.charCodeAt(0))) end += bytes.write(run, end)
    else for (let index = 0; index < run.length; index += 1) bytes[end++] = run.charCodeAt(index) - 0xdc00
  }
  return bytes
}

/** Whether this code unit stands for a byte that is not part of valid UTF-8. */
function isInvalid(unit: number): boolean {
  return unit >= 0xdc80 && unit <= 0xdcff
}

/** Whether the text is valid UTF-8. */
export function isUtf8(text: string): boolean {
  return text.isWellFormed()
}

/** The text with each invalid sequence as one `?`, as WordPress writes it into JSON. */
export function replaceInvalid(text: string): string {
  if (text.isWellFormed()) return text
  return lossy
    .decode(encodeText(text.replaceAll('\ufffd', '\ufffe\ufffe')))
    .replaceAll('\ufffd', '?')
    .replaceAll('\ufffe\ufffe', '\ufffd')
}

/** Length of the text in bytes. */
export function byteLength(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index += 1) {
    const size = bytesAt(text, index)
    bytes += size
    if (size === 4) index += 1
  }
  return bytes
}

/** The index `bytes` bytes after `start`; -1 when it is inside a character or past the end. */
export function indexAfterBytes(text: string, start: number, bytes: number): number {
  let index = start
  let remaining = bytes
  while (remaining > 0 && index < text.length) {
    const size = bytesAt(text, index)
    remaining -= size
    index += size === 4 ? 2 : 1
  }
  return remaining === 0 ? index : -1
}

/** Length in bytes of the character at `index`: four for a surrogate pair, one for a byte that is not UTF-8. */
function bytesAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  if (isInvalid(unit)) return 1
  const next = text.charCodeAt(index + 1)
  return unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff ? 4 : 3
}
