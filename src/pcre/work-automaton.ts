import { childrenOf, someNode, type PatternNode } from './ast.js'
import {
  added,
  type Automaton,
  AutomatonBuilder,
  bounded,
  choice,
  nowhere,
  optional,
  type Part,
  passed,
  UnsuitableError,
  unlessUnsuitable,
} from './automaton.js'
import type { LoweredLook, LoweredNode, LoweredPattern, LoweredRepeat } from './lower.js'
import { fixedLength } from './participation.js'

/**
 * What JavaScript's engine tries: each way through the pattern is one through the automaton. Lookarounds are side ways,
 * references take anything, and longer counts become open repetitions. Null when the pattern is too large.
 */
export function workAutomatonOf(pattern: LoweredPattern): Automaton | null {
  return unlessUnsuitable(() => new WorkBuilder(pattern).automaton())
}

class WorkBuilder {
  readonly #root: LoweredNode
  readonly #builder: AutomatonBuilder
  /** A lookbehind is read from its end to its beginning. */
  #backward = false
  #inLookbehind = false

  constructor({ root, syntax }: LoweredPattern) {
    this.#root = root
    this.#builder = new AutomatonBuilder(syntax.unicode)
  }

  automaton(): Automaton {
    return this.#builder.automaton(this.#part(this.#root), !beginsAtStart(this.#root))
  }

  #part(node: LoweredNode): Part {
    switch (node.kind) {
      case 'empty':
      case 'edge':
        return passed
      case 'characters':
        return this.#builder.position(node.set, node.index)
      case 'sequence':
        return this.#row(node.items)
      case 'alternation':
        return node.branches.map((branch) => this.#part(branch)).reduce(choice)
      case 'capture':
        return this.#part(node.body)
      case 'atomic':
        // As if it could be tried again, which bounds what it costs: what it took is read once more, and that is all.
        return this.#part(node.body)
      case 'repeat':
        return this.#repeat(node)
      case 'look':
        return this.#look(node)
      case 'backreference':
        return this.#builder.anything(node.index)
    }
  }

  #row(items: readonly LoweredNode[]): Part {
    const inOrder = this.#backward ? items.toReversed() : items
    return inOrder
      .map((item) => this.#part(item))
      .reduce((before, after) => this.#builder.sequence(before, after), passed)
  }

  #repeat(node: LoweredRepeat): Part {
    const { body, minimum, maximum } = node
    if (maximum === 0) return passed
    const round = (): Part => this.#part(body)
    if (this.#inLookbehind) {
      // It reads text that the automaton has passed, so its loops could not be compared with others.
      if (maximum === Infinity) throw new UnsuitableError()
      return this.#builder.rounds(minimum, maximum, round)
    }
    if (countsFew(node)) return this.#builder.rounds(minimum, maximum, round)
    const part = this.#builder.loop(round())
    if (minimum === 0) return optional(part)
    // A round up to the minimum may be empty; then a later round takes what it could have taken.
    const ways = bounded((1 + part.empty) ** minimum)
    return { first: added(nowhere, part.first, ways), last: part.last, empty: bounded(part.empty ** minimum) }
  }

  #look({ ahead, body, index }: LoweredLook): Part {
    const outer = { backward: this.#backward, inLookbehind: this.#inLookbehind }
    this.#backward = !ahead
    this.#inLookbehind ||= !ahead
    const part = this.#builder.sideWay(this.#part(body), index)
    this.#backward = outer.backward
    this.#inLookbehind = outer.inLookbehind
    return part
  }
}

/** A count that stays a count: few copies, or one fixed row of characters with no choice in it. */
function countsFew(node: LoweredRepeat): boolean {
  if (node.maximum === Infinity) return false
  const copies = copiesIn(node)
  if (node.maximum <= 4 && copies <= 16) return true
  return (
    node.minimum === node.maximum && copies <= 256 && fixedLength(node.body) !== null && !someNode(node.body, isChoice)
  )
}

function copiesIn(node: PatternNode): number {
  const inside = Math.max(1, ...childrenOf(node).map(copiesIn))
  return node.kind === 'repeat' && node.maximum !== Infinity ? Math.max(1, node.maximum) * inside : inside
}

function isChoice(node: PatternNode): boolean {
  return node.kind === 'alternation' || (node.kind === 'repeat' && node.minimum !== node.maximum)
}

/** Whether a search can succeed at the very beginning only. */
function beginsAtStart(node: LoweredNode): boolean {
  if (node.kind === 'edge') return node.edge === 'start'
  if (node.kind === 'sequence') return node.items[0] !== undefined && beginsAtStart(node.items[0])
  if (node.kind === 'alternation') return node.branches.every(beginsAtStart)
  return (node.kind === 'capture' || node.kind === 'atomic') && beginsAtStart(node.body)
}
