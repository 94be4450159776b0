import { childrenOf, someNode, type PatternNode } from './ast.js'
import {
  addWays,
  type Automaton,
  AutomatonBuilder,
  capWays,
  alternativesOf,
  noPositions,
  optional,
  type Fragment,
  emptyFragment,
  UnsuitableError,
  automatonOrNull,
} from './automaton.js'
import type { LoweredLookaround, LoweredNode, LoweredPattern, LoweredRepeat } from './lower.js'
import { fixedLength } from './participation.js'

/**
 * The automaton of what JavaScript's engine tries: each way through the pattern is a way through the automaton. Lookarounds
 * are side branches, a reference matches any text, and high counts become unlimited repetitions. Null when the pattern is
 * too large.
 */
export function workAutomatonOf(pattern: LoweredPattern): Automaton | null {
  return automatonOrNull(() => new WorkBuilder(pattern).automaton())
}

class WorkBuilder {
  readonly #root: LoweredNode
  readonly #builder: AutomatonBuilder
  /** Whether the current node is matched from its end to its beginning, as in a lookbehind. */
  #isBackward = false
  #inLookbehind = false

  constructor({ root, syntax }: LoweredPattern) {
    this.#root = root
    this.#builder = new AutomatonBuilder(syntax.unicode)
  }

  automaton(): Automaton {
    return this.#builder.automaton(this.#fragmentOf(this.#root), !beginsAtStart(this.#root))
  }

  #fragmentOf(node: LoweredNode): Fragment {
    switch (node.kind) {
      case 'empty':
      case 'anchor':
        return emptyFragment
      case 'characters':
        return this.#builder.position(node.set, node.index)
      case 'sequence':
        return this.#sequence(node.items)
      case 'alternation':
        return node.branches.map((branch) => this.#fragmentOf(branch)).reduce(alternativesOf)
      case 'capture':
        return this.#fragmentOf(node.body)
      case 'atomic':
        // An upper bound: an atomic group is not tried again. Its reference only reads the matched text once more.
        return this.#fragmentOf(node.body)
      case 'repeat':
        return this.#repeat(node)
      case 'lookaround':
        return this.#look(node)
      case 'backreference':
        return this.#builder.anyText(node.index)
    }
  }

  #sequence(items: readonly LoweredNode[]): Fragment {
    const orderedItems = this.#isBackward ? items.toReversed() : items
    return orderedItems
      .map((item) => this.#fragmentOf(item))
      .reduce((before, after) => this.#builder.sequence(before, after), emptyFragment)
  }

  #repeat(node: LoweredRepeat): Fragment {
    const { body, minimum, maximum } = node
    if (maximum === 0) return emptyFragment
    const buildBody = (): Fragment => this.#fragmentOf(body)
    if (this.#inLookbehind) {
      // A lookbehind reads text before its position, so its loops cannot be compared with those of other nodes.
      if (maximum === Infinity) throw new UnsuitableError()
      return this.#builder.repetitions(minimum, maximum, buildBody)
    }
    if (canBeUnrolled(node)) return this.#builder.repetitions(minimum, maximum, buildBody)
    const fragment = this.#builder.loop(buildBody())
    if (minimum === 0) return optional(fragment)
    // A required iteration may match the empty text. A later iteration can then match the same text in another way.
    const ways = capWays((1 + fragment.empty) ** minimum)
    return {
      first: addWays(noPositions, fragment.first, ways),
      last: fragment.last,
      empty: capWays(fragment.empty ** minimum),
    }
  }

  #look({ ahead, body, index }: LoweredLookaround): Fragment {
    const previous = { backward: this.#isBackward, inLookbehind: this.#inLookbehind }
    this.#isBackward = !ahead
    this.#inLookbehind ||= !ahead
    const fragment = this.#builder.sideBranch(this.#fragmentOf(body), index)
    this.#isBackward = previous.backward
    this.#inLookbehind = previous.inLookbehind
    return fragment
  }
}

/** Whether a repetition is unrolled: it has few copies, or its body has a fixed length and no choices. */
function canBeUnrolled(node: LoweredRepeat): boolean {
  if (node.maximum === Infinity) return false
  const copies = copyCount(node)
  if (node.maximum <= 4 && copies <= 16) return true
  return (
    node.minimum === node.maximum && copies <= 256 && fixedLength(node.body) !== null && !someNode(node.body, isChoice)
  )
}

/** The number of copies of its innermost nodes that unrolling a node gives. */
function copyCount(node: PatternNode): number {
  const innerCopies = Math.max(1, ...childrenOf(node).map(copyCount))
  return node.kind === 'repeat' && node.maximum !== Infinity ? Math.max(1, node.maximum) * innerCopies : innerCopies
}

function isChoice(node: PatternNode): boolean {
  return node.kind === 'alternation' || (node.kind === 'repeat' && node.minimum !== node.maximum)
}

/** Whether every match begins at the start of the text. */
function beginsAtStart(node: LoweredNode): boolean {
  if (node.kind === 'anchor') return node.anchor === 'start'
  if (node.kind === 'sequence') return node.items[0] !== undefined && beginsAtStart(node.items[0])
  if (node.kind === 'alternation') return node.branches.every(beginsAtStart)
  return (node.kind === 'capture' || node.kind === 'atomic') && beginsAtStart(node.body)
}
