/**
 * Text as PHP sees it: bytes. A byte that is not part of valid UTF-8 is kept as the lone surrogate U+DC00 + byte, so
 * that nothing is lost and a string that is not well-formed is exactly a byte string that is not valid UTF-8. (A lone
 * surrogate cannot come from anywhere else: JSON bodies that spell one are refused.)
 * Rules: docs/wire.md#text-that-is-not-utf-8.
 */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder('utf-8', { ignoreBOM: true })
/** How many arguments one call is trusted with. */
const maxCharacters = 4096

/** The text of these bytes, invalid ones kept as lone surrogates. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return decodeInvalid(bytes)
  }
}

/** Valid stretches are decoded at once, invalid bytes one by one: linear, whatever the bytes are. */
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

/** How many bytes the valid UTF-8 sequence at `index` has; 0 when there is none. */
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

/** The bytes of a text made by {@link decodeBytes}. */
export function encodeText(text: string): Uint8Array {
  // Half the time of a TextEncoder, which authentication uses eight times a request.
  if (text.isWellFormed()) return Buffer.from(text)
  const bytes = Buffer.allocUnsafe(byteLength(text))
  let end = 0
  for (const [run] of text.matchAll(/[\udc80-\udcff]+|[^\udc80-\udcff]+/gu)) {
    if (!isInvalid(run.charCodeAt(0))) end += bytes.write(run, end)
    else for (let index = 0; index < run.length; index += 1) bytes[end++] = run.charCodeAt(index) - 0xdc00
  }
  return bytes
}

/** Whether this stands for a byte that is not UTF-8. */
function isInvalid(unit: number): boolean {
  return unit >= 0xdc80 && unit <= 0xdcff
}

/** Whether the text is valid UTF-8. */
export function isUtf8(text: string): boolean {
  return text.isWellFormed()
}

/** The text with every invalid sequence as one `?`, as WordPress writes it into JSON. */
export function replaceInvalid(text: string): string {
  if (text.isWellFormed()) return text
  return lossy
    .decode(encodeText(text.replaceAll('\ufffd', '\ufffe\ufffe')))
    .replaceAll('\ufffd', '?')
    .replaceAll('\ufffe\ufffe', '\ufffd')
}

/** How many bytes the text has. */
export function byteLength(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index += 1) {
    const size = bytesAt(text, index)
    bytes += size
    if (size === 4) index += 1
  }
  return bytes
}

/** The index just behind the first `bytes` bytes after `start`; -1 when that is inside a character or past the end. */
export function indexAfterBytes(text: string, start: number, bytes: number): number {
  let index = start
  let left = bytes
  while (left > 0 && index < text.length) {
    const size = bytesAt(text, index)
    left -= size
    index += size === 4 ? 2 : 1
  }
  return left === 0 ? index : -1
}

/** The bytes of the character at `index`: four when it is a surrogate pair, one for a byte that is not UTF-8. */
function bytesAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  if (isInvalid(unit)) return 1
  const next = text.charCodeAt(index + 1)
  return unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff ? 4 : 3
}
