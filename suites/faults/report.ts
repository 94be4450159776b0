/** What a part of the suite has found, and its figures. */
export class Report {
  #checks = 0
  readonly #failures: string[] = []

  constructor(readonly part: string) {}

  get failures(): readonly string[] {
    return this.#failures
  }

  /** @param statement what holds. */
  check(holds: boolean, statement: string, detail = ''): void {
    this.#checks += 1
    if (!holds) this.#failures.push(`${statement}${detail === '' ? '' : ` (${detail})`}`)
  }

  equal(actual: unknown, expected: unknown, statement: string): void {
    const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
    this.check(one === other, statement, `${one} in place of ${other}`)
  }

  print(figures: string): void {
    process.stdout.write(`${this.part}: ${figures}; ${this.#checks} checks, ${this.#failures.length} failed\n`)
    for (const failure of this.#failures.slice(0, 10)) process.stdout.write(`  FAILED ${failure}\n`)
  }
}
