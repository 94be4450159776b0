import { equalInConstantTime } from '../auth/constant-time.js'
import type { WrittenRow } from '../cache/written-rows.js'
import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import { CompanionMessages, companionHeader, type CompanionDependencies } from './companion-messages.js'
import { CompanionOutbox } from './companion-outbox.js'
import type { ForeignReport, ForeignWrites } from './foreign-writes.js'

/** Seconds that a report is valid, as in the plugin. */
const validity = 60
/** Milliseconds that a stop waits for the last notices. */
const lastTimeLimit = 2000
/** Maximum number of senders that are remembered. Each is one request of PHP, and remembered for twice the validity. */
const maxSenders = 20_000
/** Maximum length of the body of a report, in UTF-16 code units. */
const maxReport = 1024

/**
 * The companion plugin of a WordPress site: tells it what the service has written, so that it cleans WordPress's object
 * cache, and hears from it that WordPress has written.
 */
export class Companion {
  /** To the plugin. */
  readonly messages: CompanionMessages
  readonly #outbox: CompanionOutbox
  /** The last time of each sender of reports, oldest first. */
  readonly #senders = new Map<string, number>()
  #dependencies: CompanionDependencies | null = null
  readonly #foreignWrites: ForeignWrites

  /** @param address at which PHP takes notices; null: that of the site. */
  constructor(address: string | null, foreignWrites: ForeignWrites, log: Log) {
    this.messages = new CompanionMessages(address)
    this.#foreignWrites = foreignWrites
    // A report that one worker has accepted is refused by the others.
    foreignWrites.onReport((report) => this.#remember(report))
    this.#outbox = new CompanionOutbox({
      send: (notices) => this.messages.send(notices),
      isReachable: () => this.messages.isReachable(),
      onFailure: (err) => logError(log, 'companion-unreachable', { err }),
      onLost: (count) => logError(log, 'companion-notices-lost', { count }),
    })
  }

  /** To be called once, when the secrets are read. Notices of earlier writes wait until then. */
  start(dependencies: CompanionDependencies): void {
    this.#dependencies = dependencies
    this.messages.start(dependencies)
  }

  readonly written = (rows: readonly WrittenRow[]): void => this.#outbox.add(rows)

  /** Lets WordPress's index show these routes. */
  announce(namespaces: readonly string[], routes: unknown): void {
    this.#outbox.add([{ kind: 'index', namespaces, routes }])
  }

  /** Sends the last notices. */
  close(): Promise<void> {
    return this.#outbox.close(lastTimeLimit)
  }

  /** The response to a report of the plugin; null for any other request. */
  readonly receive = (incoming: IncomingRequest): OutgoingResponse | null => {
    if (incoming.path !== '/as-rest-route/changes' || incoming.method !== 'POST') return null
    const report = this.#reportIn(incoming)
    if (report === null) return emptyResponse(403)
    this.#foreignWrites.reported(report)
    return emptyResponse(204)
  }

  /** Null for a report with a wrong signature, and for one that was accepted before. */
  #reportIn({ headers, body }: IncomingRequest): ForeignReport | null {
    const [, sender = '', time = '', signature = ''] =
      /^([0-9a-f]{16}) (\d{16}) ([0-9a-f]{64})$/.exec(headers[companionHeader] ?? '') ?? []
    if (this.#dependencies === null || signature === '' || body.length > maxReport) return null
    const { secrets } = this.#dependencies
    const expected = secrets.companionSignature({ direction: 'changes', sender, time, body })
    const report = { sender, time: Number(time) }
    return equalInConstantTime(expected, signature) && this.#isNew(report) ? report : null
  }

  #isNew({ sender, time }: ForeignReport): boolean {
    const now = Date.now() * 1000
    return Math.abs(time - now) <= validity * 1_000_000 && time > (this.#senders.get(sender) ?? 0)
  }

  #remember({ sender, time }: ForeignReport): void {
    const now = Date.now() * 1000
    this.#senders.delete(sender)
    this.#senders.set(sender, time)
    for (const [other, seen] of this.#senders) {
      if (seen > now - 2 * validity * 1_000_000 && this.#senders.size <= maxSenders) break
      this.#senders.delete(other)
    }
  }
}

const emptyResponse = (status: 204 | 403): OutgoingResponse => ({
  status,
  headers: [['Cache-Control', 'no-store']],
  body: '',
})
