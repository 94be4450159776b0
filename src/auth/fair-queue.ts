import { siteOf } from './network.js'

/** The sender of a job. A {@link FairQueue} gives networks equal shares, and the accounts of a network equal shares. */
export interface Requester {
  /** The network of the client, as `networkOf` names it. */
  readonly network: string
  /** A key of the account, which may be unknown. */
  readonly account: string
  /** The account has logged in from this network before, or its user is logged in now. */
  readonly isTrusted: boolean
}

/** The requester of jobs whose client is unknown. They share one network. */
export const unknownRequester: Requester = { network: '', account: '', isTrusted: false }

/**
 * A bounded queue in which no network can keep others waiting. Networks take turns, and within a network its accounts.
 * In a full queue, the network with the most waiting jobs loses its newest one to a network with fewer. IPv6 networks of
 * one /48, which one client may have as a whole, count as one network and take turns among themselves.
 *
 * Jobs of trusted requesters have their own places, so that no flood of strangers displaces them. When jobs of both
 * kinds wait, the kinds take turns: a user is served soon, and an attacker with an account of their own cannot keep out
 * users who log in from a new network.
 */
export class FairQueue<Job extends object> {
  readonly #maxWaiting: number
  readonly #trusted = new Line<Job>()
  readonly #strangers = new Line<Job>()
  #strangersAreNext = false

  /** @param maxWaiting the number of places for trusted requesters, and the number of places for the others. */
  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  get size(): number {
    return this.#trusted.size + this.#strangers.size
  }

  /** Adds a job. @returns the job that loses its place, which may be the new one; null when there was a free place. */
  add(job: Job, { network, account, isTrusted }: Requester): Job | null {
    const line = isTrusted ? this.#trusted : this.#strangers
    const path = [siteOf(network), network, account]
    line.add(job, path)
    return line.size > this.#maxWaiting ? line.removeFromLongest(path) : null
  }

  /** Removes the next job. @returns null when the queue is empty. */
  next(): Job | null {
    const preferred = this.#strangersAreNext ? this.#strangers : this.#trusted
    const other = this.#strangersAreNext ? this.#trusted : this.#strangers
    const line = preferred.size > 0 ? preferred : other
    this.#strangersAreNext = line === this.#trusted
    return line.next()
  }

  /** Removes all jobs. */
  clear(): readonly Job[] {
    const jobs: Job[] = []
    for (let job = this.next(); job !== null; job = this.next()) jobs.push(job)
    return jobs
  }
}

/** Waiting jobs in lines that take turns, which consist of further lines or of jobs. */
class Line<Job> {
  /** The first line is served next. */
  readonly #lines = new Map<string, Line<Job>>()
  /** Oldest first. Empty in a line of lines. */
  readonly #jobs: Job[] = []
  #size = 0

  /** The number of jobs, in all lines. */
  get size(): number {
    return this.#size
  }

  /** @param path the keys of the lines, from the outer to the inner one. */
  add(job: Job, [key, ...path]: readonly string[]): void {
    this.#size += 1
    if (key === undefined) {
      this.#jobs.push(job)
      return
    }
    const line = this.#lines.get(key) ?? new Line<Job>()
    this.#lines.set(key, line)
    line.add(job, path)
  }

  next(): Job | null {
    const [first] = this.#lines
    const job = first === undefined ? this.#jobs.shift() : first[1].next()
    if (first !== undefined) {
      const [key, line] = first
      // The line goes behind the others.
      this.#lines.delete(key)
      if (line.size > 0) this.#lines.set(key, line)
    }
    return this.#removed(job)
  }

  /**
   * Removes the newest job of the longest line. Of equally long lines, the one on the path of the new job loses it:
   * otherwise newcomers would displace each other without end, and no job of theirs would ever be served.
   */
  removeFromLongest([key, ...path]: readonly string[]): Job | null {
    const longestKey = this.#longest(key)
    const line = longestKey === undefined ? undefined : this.#lines.get(longestKey)
    if (longestKey === undefined || line === undefined) return this.#removed(this.#jobs.pop())
    const job = line.removeFromLongest(longestKey === key ? path : [])
    if (line.size === 0) this.#lines.delete(longestKey)
    return this.#removed(job)
  }

  /** The key of the longest line: of equally long ones `preferred`, or else the one that is served last. */
  #longest(preferred: string | undefined): string | undefined {
    let longest: string | undefined
    let size = 0
    for (const [key, line] of this.#lines)
      if (line.size > size || (line.size === size && longest !== preferred)) {
        longest = key
        size = line.size
      }
    return longest
  }

  #removed(job: Job | null | undefined): Job | null {
    if (job === null || job === undefined) return null
    this.#size -= 1
    return job
  }
}
