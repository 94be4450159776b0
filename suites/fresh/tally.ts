/** Counts reads and writes, and prints what was stale. */
export class Tally {
  readonly #print: (line: string) => void
  readonly #reads = new Map<string, number>()
  readonly #writes = new Map<string, number>()
  readonly #failures = new Map<string, number>()
  #phaseReads = 0
  #phaseWrites = 0
  #unavailable = 0
  #slowest = 0
  #stale = 0
  #name = ''
  #begun = 0

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  begin(name: string): void {
    this.#name = name
    this.#begun = performance.now()
    this.#phaseReads = 0
    this.#phaseWrites = 0
  }

  end(): void {
    const seconds = ((performance.now() - this.#begun) / 1000).toFixed(1)
    this.#print(`${this.#name}: ${this.#phaseReads} reads, ${this.#phaseWrites} writes in ${seconds} s`)
  }

  /** @param stale what was wrong; null for a fresh read. */
  read(kind: string, stale: string | null): void {
    this.#phaseReads += 1
    raise(this.#reads, kind)
    if (stale === null) return
    this.#stale += 1
    if (this.#stale <= 10) this.#print(`STALE ${this.#name}: ${stale}`)
  }

  wrote(kind: string): void {
    this.#phaseWrites += 1
    raise(this.#writes, kind)
  }

  /** A request that failed because the database was failing over. */
  unavailable(): void {
    this.#unavailable += 1
  }

  /** @param down milliseconds without a database. @param recovered milliseconds until all services answered again. */
  failedOver(down: number, recovered: number): void {
    this.#slowest = Math.max(this.#slowest, recovered)
    this.#print(
      `failover: ${(down / 1000).toFixed(1)} s, all services answered ${recovered.toFixed(0)} ms after it; ` +
        `${this.#unavailable} requests failed up to now`,
    )
  }

  /** A request that was not answered as it should be, stale or not. */
  failed(what: string): void {
    raise(this.#failures, what.slice(0, 300))
  }

  /** @returns the exit code: 1 after a stale read, a failure, or when nothing was read or written. */
  summary(seed: number): number {
    for (const [kind, count] of [...this.#reads].sort()) this.#print(`  read    ${kind}: ${count}`)
    for (const [kind, count] of [...this.#writes].sort()) this.#print(`  written ${kind}: ${count}`)
    for (const [what, count] of this.#failures) this.#print(`  FAILED  ${what} (${count} times)`)
    const [reads, writes] = [this.#reads, this.#writes].map((counts) => [...counts.values()].reduce((a, b) => a + b, 0))
    this.#print(`seed ${seed}: ${reads} reads, ${writes} writes, ${this.#stale} stale`)
    if (this.#slowest > 0) this.#print(`  the slowest return took ${this.#slowest.toFixed(0)} ms`)
    return this.#stale === 0 && this.#failures.size === 0 && this.#reads.size === 12 && this.#writes.size >= 9 ? 0 : 1
  }
}

function raise(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
