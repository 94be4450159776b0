import type { Output } from './output.js'

/** Milliseconds between two changes of the bar in a terminal. */
const barInterval = 100
/** Milliseconds between two lines where standard error is not a terminal. */
const lineInterval = 5000
/** Width of the bar, in characters. */
const barWidth = 30

/** How far a long command is. */
export interface Step {
  /** The verb in the display: `moving`. */
  readonly step: string
  readonly table: string
  readonly done: number
}

/** Shows the progress of a command on standard error: a bar in a terminal, elsewhere a line every few seconds. */
export class ProgressDisplay {
  readonly #output: Output
  #lastShown = performance.now()
  #hasBar = false

  constructor(output: Output) {
    this.#output = output
  }

  /** @param total rows of this step. */
  readonly show = (step: Step, total: number): void => {
    const { isErrorTerminal, writeError } = this.#output
    const now = performance.now()
    if (now - this.#lastShown < (isErrorTerminal ? barInterval : lineInterval)) return
    this.#lastShown = now
    if (isErrorTerminal) writeError(`\r${barText(step, total)}\x1b[K`)
    else writeError(`${stepText(step, total)}\n`)
    this.#hasBar = isErrorTerminal
  }

  /** Removes the bar. */
  end(): void {
    if (this.#hasBar) this.#output.writeError('\r\x1b[K')
    this.#hasBar = false
  }
}

const stepText = ({ step, table, done }: Step, total: number): string =>
  `${step} ${table}: ${done} of ${total} rows (${percentOf(done, total)} %)`

/** Source databases change: more rows may be done than there were. */
const percentOf = (done: number, total: number): number =>
  total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total))

function barText(step: Step, total: number): string {
  const filled = Math.round((barWidth * percentOf(step.done, total)) / 100)
  return `[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}] ${stepText(step, total)}`
}

/** `1.5 MiB`. */
export function byteCount(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 ? String(bytes) : value.toFixed(1)} ${units[power]}`
}
