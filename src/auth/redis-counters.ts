import type { RedisClient } from './redis-driver.js'
import { beginScript, countScript, drainScript, probeScript, successScript, type RedisScript } from './redis-scripts.js'
import type { CountedRequest, RequestCounter } from './request-counters.js'
import {
  appliesToTrusted,
  networksAfterLogin,
  trustLifetime,
  type AttemptEnd,
  type BegunAttempt,
  type CountedAttempt,
  type SharedCounter,
  type SharedCounters,
  type Waits,
} from './shared-counters.js'

type Argument = string | number

/**
 * Counts attempts in Redis or Valkey, each step by one script. Counters expire by themselves. Their number is not limited,
 * so none displaces another, and wider networks are not counted.
 */
export class RedisCounters implements SharedCounters {
  readonly #client: RedisClient
  readonly #scope: string
  readonly #clock: (() => number) | null

  /**
   * @param scope keeps the keys of several sites apart.
   * @param clock milliseconds; null for the clock of Redis.
   */
  constructor(client: RedisClient, scope: string, clock: (() => number) | null) {
    this.#client = client
    this.#scope = scope
    this.#clock = clock
  }

  async begin(attempt: CountedAttempt): Promise<BegunAttempt> {
    const { counters, trust } = attempt
    const keys = [...counters.map(({ name }) => name), trust.name]
    const values = counters.flatMap(({ limit, milliseconds, capacity }): Argument[] => [
      milliseconds,
      capacity,
      appliesToTrusted(limit) ? 1 : 0,
    ])
    const [isRaised, networks, expiresIn, ...millisecondsLeft] = (await this.#run(beginScript, keys, [
      trust.network,
      ...values,
    ])) as [number, string, number, ...number[]]
    const isTrusted = networks.split(' ').includes(trust.network)
    if (isRaised === 0) return { isTrusted, waits: waitsOf(counters, millisecondsLeft, isTrusted, 1), end: null }
    return { isTrusted, waits: new Map(), end: this.#endOf(attempt, millisecondsLeft, networks, expiresIn) }
  }

  async fail(attempt: CountedAttempt): Promise<Waits> {
    const { counters, trust } = attempt
    const keys = [...counters.map(({ name }) => name), trust.name]
    const values = counters.flatMap(({ milliseconds, capacity }): Argument[] => [milliseconds, capacity, 1])
    const [isRaised, , , ...millisecondsLeft] = (await this.#run(beginScript, keys, [trust.network, ...values])) as [
      number,
      string,
      number,
      ...number[],
    ]
    return waitsOf(counters, millisecondsLeft, false, 1 + isRaised)
  }

  async empty({ name }: SharedCounter): Promise<void> {
    await this.#run(drainScript, [name], [Number.MAX_SAFE_INTEGER])
  }

  async count({ name, milliseconds, capacity }: RequestCounter): Promise<CountedRequest> {
    const [isRaised, left] = (await this.#run(countScript, [name], [milliseconds, capacity])) as [number, number]
    return { isAllowed: isRaised === 1, left }
  }

  /** Rejects while Redis does not answer, or cannot count because it refuses to write. */
  async probe(): Promise<void> {
    await this.#run(probeScript, ['probe'], [])
  }

  #endOf(
    { counters, trust }: CountedAttempt,
    millisecondsLeft: readonly number[],
    networks: string,
    expiresIn: number,
  ): AttemptEnd {
    const names = counters.map(({ name }) => name)
    return {
      succeeded: async () => {
        // Attempts of other callers that were added to the pair after this one stay.
        const amounts = counters.map(
          ({ limit, milliseconds }, index) => milliseconds + (limit === 'pair' ? (millisecondsLeft[index] ?? 0) : 0),
        )
        const newNetworks = networksAfterLogin(networks, trust.network, expiresIn)
        if (newNetworks === null) await this.#run(drainScript, names, amounts)
        else await this.#run(successScript, [...names, trust.name], [...amounts, newNetworks, trustLifetime])
      },
      failed: async () => {},
      abandoned: async () => {
        await this.#run(
          drainScript,
          names,
          counters.map(({ milliseconds }) => milliseconds),
        )
      },
    }
  }

  async #run({ hash, text }: RedisScript, names: readonly string[], values: readonly Argument[]): Promise<unknown> {
    // A cluster chooses the node of a key by the text in braces. All keys of a script must be on one node.
    const keys = names.map((name) => `{as-rest-route:${this.#scope}}:${name}`)
    const keysAndValues = [...keys, this.#clock === null ? '' : Math.floor(this.#clock()), ...values]
    try {
      return await this.#client.evalsha(hash, keys.length, ...keysAndValues)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return this.#client.eval(text, keys.length, ...keysAndValues)
    }
  }
}

/**
 * The milliseconds to wait, by the limit that refuses.
 * @param millisecondsLeft until each counter is empty.
 * @param attempts number of attempts that the counters must have room for, besides what they hold.
 */
function waitsOf(
  counters: readonly SharedCounter[],
  millisecondsLeft: readonly number[],
  isTrusted: boolean,
  attempts: number,
): Waits {
  const waits = new Map<SharedCounter['limit'], number>()
  counters.forEach(({ limit, milliseconds, capacity }, index) => {
    const wait = (millisecondsLeft[index] ?? 0) + attempts * milliseconds - capacity
    if (wait > 0 && !(isTrusted && !appliesToTrusted(limit))) waits.set(limit, wait)
  })
  return waits
}
