import type { IncomingMessage, ServerResponse } from 'node:http'
import { isMultipartForm } from '../http/form-body.js'
import type { OutgoingResponse } from '../http/exchange.js'
import type { FormReader, ReceivedForm } from '../http/form-reader.js'
import { notWritten, tooLarge } from '../http/refusal.js'

/** A request of `node:http` whose body is received. */
export interface Reception {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** In bytes. */
  readonly bodyLimit: number
  /** Called when the body is complete or refused. */
  readonly onEnd: () => void
  readonly refuse: (refusal: OutgoingResponse) => void
  /** Called with the complete body, or with the complete form and an empty body. */
  readonly serve: (body: Uint8Array, form?: ReceivedForm) => void
}

const noBody = new Uint8Array(0)

/** Receives a body into memory. */
export function receiveBody({ request, response, bodyLimit, onEnd, refuse, serve }: Reception): void {
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= bodyLimit) chunks.push(chunk)
    else if (!response.headersSent) {
      chunks.length = 0
      onEnd()
      refuse(tooLarge(bodyLimit))
    }
  })
  request.on('end', () => {
    if (response.headersSent) return
    onEnd()
    serve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
  })
  request.on('error', () => response.destroy())
}

/** Receives a form with files, no faster than its temporary files are written. */
export function receiveForm(reader: FormReader, reception: Reception): void {
  const { request, response, bodyLimit, onEnd, refuse } = reception
  let size = 0
  let isComplete = false
  request.on('data', (chunk: Buffer) => {
    if (response.headersSent) return
    size += chunk.length
    if (size > bodyLimit) {
      reader.abort()
      onEnd()
      refuse(tooLarge(bodyLimit))
      return
    }
    const writing = reader.push(chunk)
    if (writing === null) return
    request.pause()
    void writing.then(() => request.resume())
  })
  request.on('end', () => {
    if (response.headersSent) return
    isComplete = true
    onEnd()
    void serveForm(reader, reception)
  })
  request.on('error', () => response.destroy())
  // `node:http` emits nothing on a request whose client leaves while its refusal is sent.
  response.once('close', () => isComplete || reader.abort())
}

async function serveForm(reader: FormReader, { request, refuse, serve }: Reception): Promise<void> {
  const form = await reader.end()
  if (form === null) refuse(notWritten)
  else if (request.socket.writable) serve(noBody, form)
  else form.release()
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

export const isForm = ({ method = 'GET', headers }: IncomingMessage): boolean =>
  isMultipartForm(method, headers['content-type'])
