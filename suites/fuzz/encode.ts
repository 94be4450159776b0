import type { Random } from '../support/random.js'

/** Text as bytes: a lone surrogate `U+DC80 … U+DCFF` is the byte that it stands for, any other is three bytes. */
export function bytesOf(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  return Buffer.concat(
    Array.from(text, (character) => {
      const code = character.charCodeAt(0)
      if (character.isWellFormed()) return Buffer.from(character, 'utf8')
      if (code >= 0xdc80 && code <= 0xdcff) return Buffer.from([code - 0xdc00])
      return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)])
    }),
  )
}

/** Percent-encodes everything but letters, digits and `-_.~`; sometimes fewer characters, where that is no fault of HTTP. */
export function percentEncode(text: string, random: Random | null = null): string {
  let encoded = ''
  const isLax = random?.chance(0.2) === true
  for (const byte of bytesOf(text)) {
    const character = String.fromCharCode(byte)
    if (/[\w.~-]/.test(character) || (isLax && /[!'()*,;:@/?[\]<>"{}|\\^`$%]/.test(character))) encoded += character
    else encoded += `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
  }
  return encoded
}

/** Values as PHP names them: `a[b][]=1`. Depth and number of variables are not limited. */
export function pairsOf(values: Iterable<readonly [string, unknown]>): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value as unknown[]) add(`${name}[]`, item)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
    else pairs.push([name, value === null ? '' : String(value)])
  }
  for (const [name, value] of values) add(name, value)
  return pairs
}

export function urlEncoded(values: Iterable<readonly [string, unknown]>, random: Random): string {
  return pairsOf(values)
    .map(([name, value]) => `${percentEncode(name, random)}=${percentEncode(value, random)}`)
    .join('&')
}

/** A multipart form; some of the fields are uploads. */
export function multipart(values: Iterable<readonly [string, unknown]>, boundary: string, random: Random): Buffer {
  const parts = pairsOf(values).map(([name, value]) => {
    const file = random.chance(0.2) ? `; filename="${random.pick(['a.txt', '', '../x.php', 'ä"\\.png'])}"` : ''
    const type = file !== '' && random.chance(0.5) ? 'Content-Type: text/plain\r\n' : ''
    const disposition = `Content-Disposition: form-data; name="${name.replaceAll(/["\r\n]/g, '_')}"${file}`
    return Buffer.concat([
      bytesOf(`--${boundary}\r\n${disposition}\r\n${type}\r\n`),
      bytesOf(value),
      Buffer.from('\r\n'),
    ])
  })
  const end = random.chance(0.95) ? `--${boundary}--\r\n` : `--${boundary}`
  return Buffer.concat([...parts, Buffer.from(end)])
}

/** Bytes with something changed: cut, doubled, overwritten. */
export function damaged(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return Buffer.from(random.pick(['{', 'null', '0', '\0', '"']))
  const at = random.integer(0, bytes.length - 1)
  return random.choose([
    [1, () => bytes.subarray(0, at)],
    [1, () => Buffer.concat([bytes, bytes.subarray(at)])],
    [2, () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random.integer(0, 255)]), bytes.subarray(at + 1)])],
  ])
}
