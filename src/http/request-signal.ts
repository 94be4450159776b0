import type { ClientPresence } from '../base/client-presence.js'

/** The signal of one request. It listens to its client and to the stop of the service as long as the request lasts. */
export class RequestSignal {
  readonly #controller = new AbortController()
  readonly #client: ClientPresence | null
  readonly #cutOff: AbortSignal

  constructor(client: ClientPresence | null, cutOff: AbortSignal) {
    this.#client = client
    this.#cutOff = cutOff
    if (cutOff.aborted) this.#onCutOff()
    else cutOff.addEventListener('abort', this.#onCutOff)
    if (client === null) return
    if (client.destroyed || client.readableEnded) this.#onGone()
    client.once?.('end', this.#onGone)
    client.once?.('close', this.#onGone)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(reason: DOMException): void {
    this.#controller.abort(reason)
  }

  /** Ends the listening. A connection and a service outlast many requests. */
  release(): void {
    this.#cutOff.removeEventListener('abort', this.#onCutOff)
    this.#client?.off?.('end', this.#onGone)
    this.#client?.off?.('close', this.#onGone)
  }

  readonly #onGone = (): void => this.abort(new DOMException('The client has left.', 'AbortError'))
  readonly #onCutOff = (): void => this.abort(new DOMException('The service stops.', 'AbortError'))
}
