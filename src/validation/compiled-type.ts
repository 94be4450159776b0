import type { ValueProblem } from './problems.js'
import type { WorkLimit } from './work-limit.js'

/**
 * A compiled schema: two functions over a value. `isFloat` says that the value is a whole number that JSON has as a float,
 * `1.0` or `1e0`: PHP tells it from an integer. Left out for all other values.
 */
export interface CompiledType {
  /**
   * @param path names the value in messages: `tags[0]`. @param work counts the work of the validation.
   * @returns the problem with the first rule that the value breaks; null when it breaks none.
   */
  readonly validate: (value: unknown, path: string, work: WorkLimit, isFloat?: boolean) => ValueProblem | null
  /**
   * Converts a value to the type, whether or not it is valid; never throws. A value that cannot be converted is
   * replaced by a problem, which is also added to `coercion`.
   */
  readonly coerce: (value: unknown, path: string, coercion: Coercion, isFloat?: boolean) => unknown
}

/**
 * What a coercion returns besides the value: the problems, at any depth, and whether a number is a float in PHP. It also has
 * the limit of its work.
 */
export class Coercion {
  readonly work: WorkLimit
  /**
   * Whether the last value is a float in PHP although it is whole. Set by every coercion that returns a number, and of no
   * meaning after one that does not.
   */
  isFloat = false
  #first: ValueProblem | null = null
  // Created on first use: most coercions have no problem.
  #all: Set<unknown> | null = null

  constructor(work: WorkLimit) {
    this.work = work
  }

  /** The first problem; null while there is none. */
  get first(): ValueProblem | null {
    return this.#first
  }

  /** Adds a problem and returns it, as the replacement of the value. */
  add(problem: ValueProblem): ValueProblem {
    this.#first ??= problem
    this.#all ??= new Set()
    this.#all.add(problem)
    return problem
  }

  /** Whether the result of a coercion is one of its problems, rather than a value with the same properties. */
  isProblem(value: unknown): value is ValueProblem {
    return this.#all !== null && this.#all.has(value)
  }
}

/** Compiles the rules of a nested value. The schema compiler passes it to types with nested values. */
export type CompileInner = (rules: unknown) => CompiledType

/** Rules by name, without null values and without a prototype. */
export type Rules = Readonly<Record<string, unknown>>

/** The own properties of declared rules, without those that are null; empty when `declaredRules` is not an object. */
export function rulesOf(declaredRules: unknown): Rules {
  const rules = Object.create(null) as Record<string, unknown>
  if (typeof declaredRules !== 'object' || declaredRules === null) return rules
  for (const [name, rule] of Object.entries(declaredRules)) if (rule !== null && rule !== undefined) rules[name] = rule
  return rules
}
