import type { FuzzRequest } from './requests.js'

/** The request as a command line for curl. Bytes beyond ASCII are escaped as bash reads them. */
export function curlLine({ method, target, headers, body }: FuzzRequest, url: string): string {
  const words = ['curl', '-sS', '-i', '--path-as-is', '-g', '-X', method]
  if (method === 'HEAD') words.push('-I')
  for (const [name, value] of headers)
    if (name !== 'Host')
      words.push('-H', quoted(Buffer.from(value === '' ? `${name};` : `${name}: ${value}`, 'latin1')))
  if (body !== null) words.push('--data-binary', quoted(body))
  if (body !== null && !headers.some(([name]) => name === 'Content-Type')) words.push('-H', "'Content-Type:'")
  words.push(quoted(Buffer.from(url + target, 'latin1')))
  return words.join(' ')
}

function quoted(bytes: Buffer): string {
  if (bytes.length > 4_000) return `"$(printf … ${bytes.length} bytes)"`
  const escaped = Array.from(bytes, (byte) => {
    if (byte === 0x27 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`
  })
  return `$'${escaped.join('')}'`
}
