/** One thing the issue asks for, and what came out. */
export interface Check {
  readonly id: string
  readonly title: string
  /** With its unit. */
  readonly target: string
  readonly measured: string
  readonly met: boolean | 'not run' | 'reported'
}

/** A small table of numbers: growth, starts, latencies. */
export interface Series {
  readonly id: string
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

export interface Section {
  readonly series: readonly Series[]
  readonly checks: readonly Check[]
  /** Sentences that a reader of the figures must know. */
  readonly notes?: readonly string[]
}

export function atLeast(id: string, title: string, measured: number | null, target: number): Check {
  return {
    id,
    title,
    target: `≥ ${target.toFixed(2)} × Fastify`,
    measured: measured === null ? '–' : `${measured.toFixed(2)} ×`,
    met: measured === null ? 'not run' : measured >= target,
  }
}

export function below(id: string, title: string, measured: number, target: number, unit: string): Check {
  return {
    id,
    title,
    target: `< ${target} ${unit}`,
    measured: `${rounded(measured)} ${unit}`,
    met: measured < target,
  }
}

export function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}
