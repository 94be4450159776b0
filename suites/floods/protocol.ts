/** Length of the response that nobody reads. Some of them fill the buffers of the kernel. */
export const largeBytes = 1_048_576

/** A login that exists, with its password. */
export const member = { login: 'ada', password: 'password of ada' }

export interface Memory {
  /** Bytes. */
  readonly rss: number
  readonly heapUsed: number
}

export interface Usage {
  /** The largest values since the watch began, each for itself. */
  readonly peak: Memory
  /** The largest number of open connections. */
  readonly connections: number
  /** Milliseconds for which the service had no processor. */
  readonly processorWait: number
}

/** What the healthy client has seen. Durations in milliseconds. */
export interface Health {
  readonly answered: number
  /** Requests without a response, or with another status than 200. */
  readonly faults: readonly string[]
  readonly median: number
  readonly p99: number
  /** For which the client had no processor. */
  readonly processorWait: number
}
