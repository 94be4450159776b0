import { randomBytes } from 'node:crypto'
import type { OtherPrograms } from '../auth/application-passwords.js'
import { equalInConstantTime } from '../auth/constant-time.js'
import type { Secrets } from '../auth/secrets.js'
import type { Notice } from './companion-outbox.js'

export interface CompanionDependencies {
  readonly secrets: Secrets
  /** The address of the site, which PHP answers. */
  readonly home: () => string
}

/** Milliseconds that the plugin may take for a response. */
const timeLimit = 10_000

/** The statuses of a web server that does not reach PHP, and of a WordPress that is being updated. */
const gatewayStatuses = new Set([502, 503, 504])

/** Microseconds by which the clock may go back before a sender is replaced: half of what the plugin accepts. */
const clockTolerance = 30_000_000

/** The plugin remembers the last time of each sender, and refuses messages of it that are not newer. */
class Sender {
  readonly id = randomBytes(8).toString('hex')
  #lastTime = 0

  /** Whether the clock was set back so far that the times which follow the last one would be refused. */
  get isAhead(): boolean {
    return Date.now() * 1000 < this.#lastTime - clockTolerance
  }

  /** The time of the next message, in microseconds since 1970. Times ascend. */
  next(): string {
    this.#lastTime = Math.max(this.#lastTime + 1, Date.now() * 1000)
    return String(this.#lastTime)
  }
}

/** The header of signed messages, in both directions. */
export const companionHeader = 'x-as-rest-route'

/** The signed messages of the service to the companion plugin, and what its responses say. */
export class CompanionMessages implements OtherPrograms {
  readonly #address: string | null
  #sender = new Sender()
  #dependencies: CompanionDependencies | null = null
  #obeyLimits = false

  /** @param address at which PHP takes messages; null: that of the site. */
  constructor(address: string | null) {
    this.#address = address
  }

  /** To be called once, when the secrets are read. */
  start(dependencies: CompanionDependencies): void {
    this.#dependencies = dependencies
  }

  /** Whether the plugin has proved with its last response that PHP obeys the limits of application passwords. */
  get obeyLimits(): boolean {
    return this.#obeyLimits
  }

  /** Asks the plugin, by a request to PHP, whether PHP obeys the limits. False when the plugin does not answer. */
  async askForLimits(): Promise<boolean> {
    // A separate sender: the plugin refuses messages of one sender out of their order, and notices may be on their way.
    return this.#exchange([], new Sender()).catch(() => false)
  }

  /** Whether the plugin takes a message without notices. */
  isReachable(): Promise<boolean> {
    return this.#exchange([], new Sender()).then(
      () => true,
      () => false,
    )
  }

  /** @throws Error when the plugin has not taken the notices. */
  async send(notices: readonly Notice[]): Promise<void> {
    if (this.#sender.isAhead) this.#sender = new Sender()
    await this.#exchange(notices, this.#sender)
  }

  /** @returns whether PHP obeys the limits of application passwords. */
  async #exchange(notices: readonly Notice[], sender: Sender): Promise<boolean> {
    if (this.#dependencies === null) throw new Error('The service has not started yet.')
    const { secrets, home } = this.#dependencies
    const url = new URL(`${(this.#address ?? home()).replace(/\/$/, '')}/`)
    url.searchParams.set('as_rest_route', 'notices')
    const body = JSON.stringify(notices)
    const message = { direction: 'notices', sender: sender.id, time: sender.next(), body } as const
    const signed = `${sender.id} ${message.time} ${secrets.companionSignature(message)}`
    let content: CompanionResponse = {}
    let status = 0
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(timeLimit),
        headers: {
          'content-type': 'application/json',
          // PHP may be reached at another address than the site.
          host: new URL(home()).host,
          [companionHeader]: signed,
        },
        body,
      })
      status = response.status
      content = contentOf(await response.text())
    } finally {
      this.#obeyLimits = equalInConstantTime(content.limits ?? '', secrets.companionProof(signed))
    }
    if (content.refused === null) return this.#obeyLimits
    const sentence = `${url.href} answered ${status}`
    if (content.refused !== undefined)
      throw new Error(
        `${sentence}: the plugin refuses the ${content.refused} of the message. Compare the keys and the clocks of both machines.`,
      )
    if (gatewayStatuses.has(status)) throw new Error(`${sentence}: PHP does not answer.`)
    throw new Error(
      `${sentence}, and not as the companion plugin. Copy as-rest-route.php to wp-content/mu-plugins, or set WORDPRESS_COMPANION. If it is there, a hook of another plugin has ended PHP.`,
    )
  }
}

interface CompanionResponse {
  /** Null when the plugin has taken the notices; undefined for a response that is not of the plugin. */
  readonly refused?: string | null
  /** The proof that PHP obeys the limits of application passwords. An older plugin has none. */
  readonly limits?: string
}

function contentOf(text: string): CompanionResponse {
  try {
    const { refused, limits } = JSON.parse(text) as Readonly<Record<string, unknown>>
    return {
      ...((refused === null || typeof refused === 'string') && { refused }),
      ...(typeof limits === 'string' && { limits }),
    }
  } catch {
    return {}
  }
}
