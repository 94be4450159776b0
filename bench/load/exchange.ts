import { request } from 'node:http'

export interface BenchRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The bytes of a request on a connection that is kept. */
export function bytesOf({ method, path, headers = {}, body }: BenchRequest): Buffer {
  const all = { Host: '127.0.0.1', Accept: '*/*', ...headers, ...(body === undefined ? {} : contentHeaders(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

function contentHeaders(body: string): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }
}

/** Asks once, with an ordinary client. */
export function ask(
  port: number,
  { method, path, headers, body }: BenchRequest,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        agent: false,
        headers: { ...headers, ...(body === undefined ? {} : contentHeaders(body)) },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
