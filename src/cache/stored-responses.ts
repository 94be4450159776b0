import { randomBytes } from 'node:crypto'
import type { StoredResponseBounds, StoredResponseRow, StoredResponseRows } from '../database/stored-response-rows.js'

/** Milliseconds for which a response is stored. */
const lifetime = 24 * 3600 * 1000

/**
 * Milliseconds after which a request counts as lost, unless its process renews the lease, which it does three times in that
 * time. After the death of the process, a repeat is refused until the lease is over.
 */
const lease = 60_000

/** A process deletes old responses at the first response that it stores, and then at every hundredth. */
const sweepInterval = 100

/** Maximum length of one response, in characters. */
const maxLength = 256 * 1024
/** The bounds of all responses together. */
const defaultBounds: StoredResponseBounds = { rows: 100_000, characters: 256 * 1024 * 1024 }

/** The state of an idempotency key when a request arrives with it. */
export type Claim =
  /** The request is the first one with the key. */
  { readonly kind: 'first'; readonly running: RunningRequest } | UsedKey

/** The state of a key that an earlier request had. */
export type UsedKey =
  /** The first request still runs. */
  | { readonly kind: 'running' }
  /** The first request had another fingerprint. */
  | { readonly kind: 'other' }
  /** The response of the first request; null when it could not be stored. */
  | { readonly kind: 'completed'; readonly response: string | null }

/** A request that runs under its key. One of the functions is called, once. */
export interface RunningRequest {
  /** @param response null, or one that is too long, is not stored: a repeat then learns only that the request was carried out. */
  store(response: string | null): Promise<void>
  /** For a request that has done nothing: a repeat runs. */
  release(): Promise<void>
}

/**
 * Stores the responses to requests with an idempotency key, so that a repeat gets the response of the first request and is not
 * carried out again, whichever process gets it.
 */
export class StoredResponses {
  readonly #rows: StoredResponseRows
  readonly #clock: (() => number) | null
  readonly #onFailure: (error: unknown) => void
  readonly #bounds: StoredResponseBounds
  #count = sweepInterval - 1
  #isSweeping = false

  /**
   * @param clock milliseconds since 1970; null for the clock of the database, which is one for all machines.
   * @param onFailure is called when a response cannot be stored, or old ones cannot be deleted.
   */
  constructor(
    rows: StoredResponseRows,
    clock: (() => number) | null,
    onFailure: (error: unknown) => void,
    bounds = defaultBounds,
  ) {
    this.#rows = rows
    this.#clock = clock
    this.#onFailure = onFailure
    this.#bounds = bounds
  }

  /**
   * Claims a key for a request, unless an earlier request has it.
   * @param name of the key, its caller and its route: at most 43 characters of ASCII.
   * @param fingerprint of all that the request depends on: at most 43 characters of ASCII.
   * @throws StorageError
   */
  async claim(name: string, fingerprint: string): Promise<Claim> {
    const owner = randomBytes(12).toString('base64url')
    for (;;) {
      const row = await this.#rows.read(name, this.#now)
      const used = usedKeyOf(row, fingerprint)
      if (used !== null) {
        // The clock was set back since the last renewal, so the lease would end too late. It ends as if renewed now; a
        // process that still runs the request renews it in time.
        if (used.kind === 'running' && row !== null && row.expiresIn > lease) await this.#renew(name, row.owner)
        return used
      }
      if (row === null) {
        await this.#rows.add(name, { owner, fingerprint, expiresIn: lease, response: null }, this.#now)
        const added = await this.#rows.read(name, this.#now)
        if (added?.owner === owner) return { kind: 'first', running: this.#run(name, owner) }
      } else await this.#rows.remove(name, row.owner)
    }
  }

  /**
   * The state of a key, without a claim: nothing is written. Null when a request with it would be the first one.
   * The parameters are those of {@link claim}.
   * @throws StorageError
   */
  async find(name: string, fingerprint: string): Promise<UsedKey | null> {
    return usedKeyOf(await this.#rows.read(name, this.#now), fingerprint)
  }

  get #now(): number | null {
    return this.#clock?.() ?? null
  }

  #renew(name: string, owner: string): Promise<void> {
    return this.#rows.change(name, owner, { expiresIn: lease, response: null }, this.#now)
  }

  /** Deletes old responses, one sweep at a time: two at once would each delete the number of excess responses. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return
    this.#isSweeping = true
    await this.#rows.sweep(this.#now, this.#bounds).catch(this.#onFailure)
    this.#isSweeping = false
  }

  #run(name: string, owner: string): RunningRequest {
    const timer = setInterval(() => {
      this.#renew(name, owner).catch(this.#onFailure)
    }, lease / 3).unref()
    return {
      store: async (response) => {
        clearInterval(timer)
        const stored = response !== null && response.length <= maxLength ? response : ''
        try {
          await this.#rows.change(name, owner, { expiresIn: lifetime, response: stored }, this.#now)
        } catch (error) {
          this.#onFailure(error)
          return
        }
        this.#count = (this.#count + 1) % sweepInterval
        if (this.#count === 0) void this.#sweep()
      },
      release: async () => {
        clearInterval(timer)
        await this.#rows.remove(name, owner).catch(this.#onFailure)
      },
    }
  }
}

/** Null for a key without a row, and for a row that has expired. */
function usedKeyOf(row: StoredResponseRow | null, fingerprint: string): UsedKey | null {
  if (row === null || row.expiresIn <= 0) return null
  if (row.fingerprint !== fingerprint) return { kind: 'other' }
  if (row.response === null) return { kind: 'running' }
  return { kind: 'completed', response: row.response === '' ? null : row.response }
}
