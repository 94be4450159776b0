import type { Problem } from '../http/rest-error.js'

/** What a schema has become: two functions over a value. */
export interface CompiledType {
  /**
   * @param path how messages call the value: `tags[0]`.
   * @returns the first rule that the value breaks, or null.
   */
  readonly validate: (value: unknown, path: string) => Problem | null
  /**
   * The value as its type wants it, however wrong it is; never throws. A value that cannot be coerced becomes a
   * problem, which `trouble` remembers and which stands in the place of the value.
   */
  readonly coerce: (value: unknown, path: string, trouble: CoercionFailures) => unknown
}

/** The problems of one coercion, at any depth. */
export class CoercionFailures {
  #first: Problem | null = null
  // Made when it is needed: most values have no trouble.
  #all: Set<unknown> | null = null

  /** The first problem; null while there is none. */
  get first(): Problem | null {
    return this.#first
  }

  /** Remembers a problem and returns it, to be put where the value would be. */
  add(problem: Problem): Problem {
    this.#first ??= problem
    this.#all ??= new Set()
    this.#all.add(problem)
    return problem
  }

  /** Whether this is such a problem, rather than a value that looks like one. */
  has(value: unknown): value is Problem {
    return this.#all !== null && this.#all.has(value)
  }
}

/** Compiles the rules of a value inside another one; given by the schema compiler to the types that need it. */
export type CompileInner = (rules: unknown) => CompiledType

/** Rules that have been read: own properties only, those that are null left out, without a prototype. */
export type Rules = Readonly<Record<string, unknown>>

/** Reads rules as declared; whatever is not a map has none. */
export function rulesOf(declared: unknown): Rules {
  const rules = Object.create(null) as Record<string, unknown>
  if (typeof declared !== 'object' || declared === null) return rules
  for (const [name, rule] of Object.entries(declared)) if (rule !== null && rule !== undefined) rules[name] = rule
  return rules
}
