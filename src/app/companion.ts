import { randomBytes } from 'node:crypto'
import { equalInConstantTime } from '../auth/constant-time.js'
import type { Secrets } from '../auth/secrets.js'
import type { WrittenRow } from '../cache/written-rows.js'
import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import { CompanionOutbox, type Notice } from './companion-outbox.js'
import type { ForeignReport, ForeignWrites } from './foreign-writes.js'

export interface CompanionDependencies {
  readonly secrets: Secrets
  /** The address of the site, which PHP answers. */
  readonly home: () => string
}

/** Seconds that a message is valid, as in the plugin. */
const window = 60
/** Milliseconds that the plugin may take for an answer. */
const timeLimit = 10_000
/** Milliseconds that a stop waits for the last notices. */
const lastTimeLimit = 2000
/** Senders that are remembered. Each is one request of PHP, and remembered for twice the window. */
const maxSenders = 20_000
const maxReport = 1024
const header = 'x-as-rest-route'

/**
 * The companion plugin of a WordPress site: tells it what the service has written, so that it cleans WordPress's object cache, and
 * hears from it that WordPress has written.
 */
export class Companion {
  readonly #address: string | null
  readonly #sender = randomBytes(8).toString('hex')
  readonly #outbox: CompanionOutbox
  /** The last time of each sender of reports, oldest first. */
  readonly #senders = new Map<string, number>()
  #dependencies: CompanionDependencies | null = null
  #lastTime = 0
  readonly #foreignWrites: ForeignWrites

  /** @param address at which PHP takes notices; null: that of the site. */
  constructor(address: string | null, foreignWrites: ForeignWrites, log: Log) {
    this.#address = address
    this.#foreignWrites = foreignWrites
    // A report that one worker has accepted is refused by the others.
    foreignWrites.onReport((report) => this.#remember(report))
    this.#outbox = new CompanionOutbox({
      send: (notices) => this.#send(notices),
      onFailure: (err) => logError(log, 'companion-unreachable', { err }),
    })
  }

  /** To be called once, when the secrets are read. What was written before is sent now. */
  start(dependencies: CompanionDependencies): void {
    this.#dependencies = dependencies
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

  /** The answer to a report of the plugin; null for any other request. */
  readonly receive = (incoming: IncomingRequest): OutgoingResponse | null => {
    if (incoming.path !== '/as-rest-route/changes' || incoming.method !== 'POST') return null
    const report = this.#reportIn(incoming)
    if (report === null) return answer(403)
    this.#foreignWrites.reported(report)
    return answer(204)
  }

  /** Null for a report with a wrong signature, and for one that was accepted before. */
  #reportIn({ headers, body }: IncomingRequest): ForeignReport | null {
    const [, sender = '', time = '', signature = ''] =
      /^([0-9a-f]{16}) (\d{16}) ([0-9a-f]{64})$/.exec(headers[header] ?? '') ?? []
    if (this.#dependencies === null || signature === '' || body.length > maxReport) return null
    const { secrets } = this.#dependencies
    const expected = secrets.companionSignature({ direction: 'changes', sender, time, body })
    const report = { sender, time: Number(time) }
    return equalInConstantTime(expected, signature) && this.#isNew(report) ? report : null
  }

  #isNew({ sender, time }: ForeignReport): boolean {
    const now = Date.now() * 1000
    return Math.abs(time - now) <= window * 1_000_000 && time > (this.#senders.get(sender) ?? 0)
  }

  #remember({ sender, time }: ForeignReport): void {
    const now = Date.now() * 1000
    this.#senders.delete(sender)
    this.#senders.set(sender, time)
    for (const [other, seen] of this.#senders) {
      if (seen > now - 2 * window * 1_000_000 && this.#senders.size <= maxSenders) break
      this.#senders.delete(other)
    }
  }

  /** @throws Error when the plugin has not taken the notices. */
  async #send(notices: readonly Notice[]): Promise<void> {
    if (this.#dependencies === null) throw new Error('The service has not started yet.')
    const { secrets, home } = this.#dependencies
    const url = new URL(`${(this.#address ?? home()).replace(/\/$/, '')}/`)
    url.searchParams.set('as_rest_route', 'notices')
    const body = JSON.stringify(notices)
    // The times of one sender ascend, whatever the clock of the system does.
    this.#lastTime = Math.max(this.#lastTime + 1, Date.now() * 1000)
    const message = { direction: 'notices', sender: this.#sender, time: String(this.#lastTime), body } as const
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
      headers: {
        'content-type': 'application/json',
        // PHP may listen at an address of its own.
        host: new URL(home()).host,
        [header]: `${message.sender} ${message.time} ${secrets.companionSignature(message)}`,
      },
      body,
    })
    const text = await response.text()
    const refused = refusalIn(text)
    if (refused === null) return
    const place = `${url.href} answered ${response.status}`
    throw new Error(
      refused === undefined
        ? `${place}, and not as the companion plugin. Copy as-rest-route.php to wp-content/mu-plugins, or set WORDPRESS_COMPANION.`
        : `${place}: the plugin refuses the ${refused} of the message. Compare the keys and the clocks of both machines.`,
    )
  }
}

/** Null for notices that were taken; undefined for an answer of something else. */
function refusalIn(text: string): string | null | undefined {
  try {
    const { refused } = JSON.parse(text) as { readonly refused?: unknown }
    return refused === null ? null : typeof refused === 'string' ? refused : undefined
  } catch {
    return undefined
  }
}

const answer = (status: 204 | 403): OutgoingResponse => ({
  status,
  headers: [['Cache-Control', 'no-store']],
  body: '',
})
