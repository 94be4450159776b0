/** Runs pieces of work one after the other. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs the work when all earlier work has ended. @returns its result. */
  next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}
