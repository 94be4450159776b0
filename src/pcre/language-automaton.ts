import { childrenOf, someNode, type PatternNode, type PatternSyntax, type RepeatNode } from './ast.js'
import {
  type Automaton,
  AutomatonBuilder,
  alternativesOf,
  optional,
  type Fragment,
  emptyFragment,
  UnsuitableError,
  automatonOrNull,
} from './automaton.js'
import { singleton } from './character-set.js'

/**
 * - `exact`: the automaton accepts the texts that the pattern matches. Patterns with lookarounds, references, atomic groups,
 *   possessive repetitions or conditions have no such automaton.
 * - `superset`: the automaton accepts the texts that the pattern matches, and possibly more.
 */
export type LanguageKind = 'superset' | 'exact'

/**
 * The automaton of the texts that a pattern matches. Null when the pattern is too large, is not anchored at both ends, or
 * has no automaton of this kind.
 */
export function languageAutomatonOf(syntax: PatternSyntax, kind: LanguageKind): Automaton | null {
  return automatonOrNull(() => new LanguageBuilder(syntax, kind).automaton())
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
    this.#rejectInnerAnchors(root)
    return this.#builder.automaton(this.#fragmentOf(root), false)
  }

  /** The automaton has no anchors: both ends of the pattern must be anchored, and an exact one allows no other anchor. */
  #rejectInnerAnchors(root: PatternNode): void {
    const items = root.kind === 'sequence' ? root.items : []
    const [first, last] = [items[0], items.at(-1)]
    if (first?.kind !== 'anchor' || first.anchor !== 'start' || last?.kind !== 'anchor' || last.anchor !== 'final')
      throw new UnsuitableError()
    const isInnerAnchor = (node: PatternNode): boolean => node.kind === 'anchor' && node !== first && node !== last
    if (this.kind === 'exact' && someNode(root, isInnerAnchor)) throw new UnsuitableError()
  }

  #fragmentOf(node: PatternNode): Fragment {
    switch (node.kind) {
      case 'empty':
        return emptyFragment
      case 'characters':
        if (node.source !== null) this.#rejectExact()
        return this.#builder.position(node.set, node.index)
      case 'sequence':
        return node.items
          .map((item) => this.#fragmentOf(item))
          .reduce((before, after) => this.#builder.sequence(before, after), emptyFragment)
      case 'alternation':
        return node.branches.map((branch) => this.#fragmentOf(branch)).reduce(alternativesOf)
      case 'capture':
        return this.#fragmentOf(node.body)
      case 'atomic':
        this.#rejectExact()
        return this.#fragmentOf(node.body)
      case 'repeat':
        return this.#repeat(node)
      case 'anchor':
        // `$` also matches before a newline at the end of the text.
        return node.anchor === 'final' ? optional(this.#builder.position(singleton(10), node.index)) : emptyFragment
      case 'lookaround':
        this.#rejectExact()
        return emptyFragment
      case 'backreference':
        this.#rejectExact()
        return this.#builder.anyText(node.index)
      case 'condition':
        this.#rejectExact()
        return childrenOf(node)
          .map((child) => this.#fragmentOf(child))
          .reduce(alternativesOf)
    }
  }

  #repeat({ body, minimum, maximum, mode }: RepeatNode): Fragment {
    if (mode === 'possessive') this.#rejectExact()
    if (maximum === 0) return emptyFragment
    const buildBody = (): Fragment => this.#fragmentOf(body)
    if (maximum < Infinity) return this.#builder.repetitions(minimum, maximum, buildBody)
    const requiredPart = this.#builder.repetitions(minimum, minimum, buildBody)
    return this.#builder.sequence(requiredPart, optional(this.#builder.loop(buildBody())))
  }

  #rejectExact(): void {
    if (this.kind === 'exact') throw new UnsuitableError()
  }
}
