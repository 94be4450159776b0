import { request } from 'node:http'

export interface SentRequest {
  readonly method: string
  /** Path and query, byte for byte. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | null
}

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  readonly text: string
}

/** Sends a request over a socket exactly as it is written. */
export function send(origin: string, { method, target, headers, body }: SentRequest): Promise<ReceivedResponse> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: hostname,
        port,
        method,
        path: target,
        headers: [
          'Host',
          `${hostname}:${port}`,
          ...headers.flat(),
          ...(body ? ['Content-Length', String(body.length)] : []),
        ],
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const flat: Record<string, string> = {}
          for (const [name, value] of Object.entries(incoming.headers))
            flat[name] = Array.isArray(value) ? value.join(', ') : (value ?? '')
          resolve({
            status: incoming.statusCode ?? 0,
            headers: flat,
            setCookies: incoming.headers['set-cookie'] ?? [],
            text: Buffer.concat(chunks).toString('utf8'),
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body ?? undefined)
  })
}
