import { childrenOf, someNode, type PatternNode, type PatternSyntax, type RepeatNode } from './ast.js'
import {
  type Automaton,
  AutomatonBuilder,
  choice,
  optional,
  type Part,
  passed,
  UnsuitableError,
  unlessUnsuitable,
} from './automaton.js'
import { single } from './character-set.js'

/**
 * - `widest`: accepts everything that the pattern does, and possibly more.
 * - `exact`: accepts just that; there is none for lookarounds, references, atomic groups and the like.
 */
export type LanguageKind = 'widest' | 'exact'

/** What a pattern accepts. Null when the pattern is too large, or cannot be told in this kind. */
export function languageAutomatonOf(syntax: PatternSyntax, kind: LanguageKind): Automaton | null {
  return unlessUnsuitable(() => new LanguageBuilder(syntax, kind).automaton())
}

class LanguageBuilder {
  readonly #builder: AutomatonBuilder

  constructor(
    readonly syntax: PatternSyntax,
    readonly kind: LanguageKind,
  ) {
    this.#builder = new AutomatonBuilder(syntax.unicode)
  }

  automaton(): Automaton {
    const { root } = this.syntax
    this.#refuseInnerEdges(root)
    return this.#builder.automaton(this.#part(root), false)
  }

  /** Only a pattern that is tied to both ends, and nowhere else, says with its characters alone what it matches. */
  #refuseInnerEdges(root: PatternNode): void {
    const items = root.kind === 'sequence' ? root.items : []
    const [first, last] = [items[0], items.at(-1)]
    if (first?.kind !== 'edge' || first.edge !== 'start' || last?.kind !== 'edge' || last.edge !== 'final')
      throw new UnsuitableError()
    const inner = (node: PatternNode): boolean => node.kind === 'edge' && node !== first && node !== last
    if (this.kind === 'exact' && someNode(root, inner)) throw new UnsuitableError()
  }

  #part(node: PatternNode): Part {
    switch (node.kind) {
      case 'empty':
        return passed
      case 'characters':
        if (node.source !== null) this.#refuseExact()
        return this.#builder.position(node.set, node.index)
      case 'sequence':
        return node.items
          .map((item) => this.#part(item))
          .reduce((before, after) => this.#builder.sequence(before, after), passed)
      case 'alternation':
        return node.branches.map((branch) => this.#part(branch)).reduce(choice)
      case 'capture':
        return this.#part(node.body)
      case 'atomic':
        this.#refuseExact()
        return this.#part(node.body)
      case 'repeat':
        return this.#repeat(node)
      case 'edge':
        // `$` lets one newline stand behind it.
        return node.edge === 'final' ? optional(this.#builder.position(single(10), node.index)) : passed
      case 'look':
        this.#refuseExact()
        return passed
      case 'backreference':
        this.#refuseExact()
        return this.#builder.anything(node.index)
      case 'condition':
        this.#refuseExact()
        return childrenOf(node)
          .map((child) => this.#part(child))
          .reduce(choice)
    }
  }

  #repeat({ body, minimum, maximum, mode }: RepeatNode): Part {
    if (mode === 'possessive') this.#refuseExact()
    if (maximum === 0) return passed
    const round = (): Part => this.#part(body)
    if (maximum < Infinity) return this.#builder.rounds(minimum, maximum, round)
    const counted = this.#builder.rounds(minimum, minimum, round)
    return this.#builder.sequence(counted, optional(this.#builder.loop(round())))
  }

  #refuseExact(): void {
    if (this.kind === 'exact') throw new UnsuitableError()
  }
}
