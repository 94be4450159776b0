import {
  someNode,
  type BackreferenceNode,
  type CharactersNode,
  type ConditionNode,
  type AnchorNode,
  type LookaroundNode,
  type PatternNode,
  type PatternSyntax,
  type RepeatNode,
} from './ast.js'
import { foldLatin1, sameSet } from './character-set.js'
import { PatternError } from './pattern-error.js'
import { alwaysCaptured, capturesIn, fixedLength, matchesEmpty } from './participation.js'

/**
 * A node of a pattern that is rewritten for JavaScript's engine, wherever PCRE and JavaScript differ. The printer
 * (`print.ts`) writes it node for node, and the analysis of its time (`safety.ts`) reads the same nodes, so the analysed
 * pattern is the one that runs.
 */
export type LoweredNode =
  | { readonly kind: 'empty' }
  | CharactersNode
  /** Reads at most one character on each side, and matches in only one way. */
  | AnchorNode
  | { readonly kind: 'sequence'; readonly items: readonly LoweredNode[] }
  | { readonly kind: 'alternation'; readonly branches: readonly LoweredNode[] }
  | { readonly kind: 'capture'; readonly index: number; readonly number: number; readonly body: LoweredNode }
  /** Printed as a lookahead with a capturing group, `group`, and a reference to that group. */
  | { readonly kind: 'atomic'; readonly index: number; readonly body: LoweredNode; readonly group: number }
  | LoweredRepeat
  | LoweredLookaround
  /** Refers to a group that has certainly matched. `group` is its number in JavaScript. */
  | (BackreferenceNode & { readonly group: number })

/** A repetition beyond the minimum that matches the empty text fails, as in JavaScript. */
export interface LoweredRepeat extends RepeatNode {
  readonly body: LoweredNode
  readonly mode: 'greedy' | 'lazy'
}

/** Each branch of a lookbehind has a fixed length. */
export interface LoweredLookaround extends LookaroundNode {
  readonly body: LoweredNode
}

export interface LoweredPattern {
  readonly syntax: PatternSyntax
  readonly root: LoweredNode
  /** The PCRE number of each JavaScript group, from group 1 on; 0 for the additional group of an atomic node. */
  readonly groups: readonly number[]
  /** Whether the pattern needs JavaScript's flag `i`. */
  readonly ignoreCase: boolean
}

/**
 * Rewrites a pattern for JavaScript's engine, with the same meaning. Groups are identified by number, because older engines
 * do not allow two groups of one name.
 * @throws PatternError when the pattern has no equivalent in JavaScript.
 */
export function lower(syntax: PatternSyntax): LoweredPattern {
  return new Lowering(syntax).result()
}

class Lowering {
  readonly #syntax: PatternSyntax
  /** See {@link LoweredPattern.groups}. A node adds its group before it lowers its body, so they are in JavaScript's order. */
  readonly #groups: number[] = []
  /** The groups that have certainly matched when the current node is reached. */
  #certainGroups: ReadonlySet<number> = new Set()
  #inLookbehind = false
  #needsCaseFlag = false
  readonly #namedGroups: ReadonlySet<number>
  /**
   * The lowest named group that may take no part in a match. Its value is `''` when a later group matched, and absent
   * otherwise, so it matters whether each later group took part.
   */
  readonly #firstOptionalGroup: number

  constructor(syntax: PatternSyntax) {
    this.#syntax = syntax
    this.#namedGroups = new Set(syntax.names.map(({ number }) => number))
    const certainGroups = alwaysCaptured(syntax.root)
    this.#firstOptionalGroup = Math.min(...[...this.#namedGroups].filter((number) => !certainGroups.has(number)))
  }

  result(): LoweredPattern {
    const root = this.#lower(this.#syntax.root)
    const ignoreCase = this.#syntax.ignoreCase || this.#needsCaseFlag
    return { syntax: this.#syntax, root, groups: this.#groups, ignoreCase }
  }

  #lower(node: PatternNode): LoweredNode {
    switch (node.kind) {
      case 'empty':
      case 'characters':
      case 'anchor':
        return node
      case 'sequence':
        return { kind: 'sequence', items: node.items.map((item) => this.#lowerItem(item)) }
      case 'alternation':
        return { kind: 'alternation', branches: node.branches.map((branch) => this.#lowerScoped(branch)) }
      case 'capture':
        this.#groups.push(node.number)
        return { ...node, body: this.#lower(node.body) }
      case 'atomic':
        return this.#atomic(node.index, node.body)
      case 'repeat':
        return this.#repeat(node)
      case 'lookaround':
        return this.#lookaround(node)
      case 'backreference':
        return this.#backreference(node)
      case 'condition':
        return this.#condition(node)
    }
  }

  /** Lowers an item of a sequence. Its groups are certain in the items that follow. */
  #lowerItem(item: PatternNode): LoweredNode {
    const lowered = this.#lower(item)
    const itemGroups = alwaysCaptured(item)
    if (itemGroups.size > 0) this.#certainGroups = new Set([...this.#certainGroups, ...itemGroups])
    return lowered
  }

  /** Lowers a node whose groups are not certain outside of it. */
  #lowerScoped(node: PatternNode): LoweredNode {
    const outerGroups = this.#certainGroups
    const lowered = this.#lower(node)
    this.#certainGroups = outerGroups
    return lowered
  }

  /** JavaScript never backtracks into a lookahead, so what the lookahead captured is matched as a whole or not at all. */
  #atomic(index: number, body: PatternNode): LoweredNode {
    if (this.#inLookbehind)
      throw this.#errorAt('An atomic group inside a lookbehind has no equivalent in JavaScript.', index)
    const group = this.#groups.push(0)
    return { kind: 'atomic', index, body: this.#lowerScoped(body), group }
  }

  #repeat(node: RepeatNode): LoweredNode {
    const { body, minimum, maximum, mode } = node
    if (mode === 'possessive') return this.#atomic(node.index, { ...node, mode: 'greedy' })
    this.#rejectResetCaptures(node)
    if (maximum > 1 && matchesEmpty(body) && someNode(body, prefersEmpty))
      throw this.#errorAt(
        'A repetition that prefers to match the empty text has no equivalent in JavaScript.',
        node.index,
      )
    const lowered = this.#lowerScoped(body)
    // JavaScript discards an optional repetition that matched the empty text, its captures and its choice, which an atomic
    // group would keep. An alternation keeps them.
    const keeps = (): boolean => capturesIn(body).length > 0 || someNode(body, prefersEmpty)
    if (minimum === 0 && maximum === 1 && matchesEmpty(body) && keeps())
      return { kind: 'alternation', branches: mode === 'lazy' ? [emptyNode, lowered] : [lowered, emptyNode] }
    return { ...node, body: lowered, mode }
  }

  /** JavaScript resets the groups inside a repetition at each iteration; PCRE keeps their last values. */
  #rejectResetCaptures(node: RepeatNode): void {
    if (node.maximum <= 1) return
    const innerGroups = capturesIn(node.body)
    const certainGroups = matchesEmpty(node.body) ? new Set<number>() : alwaysCaptured(node.body)
    const resetGroup = innerGroups.find(
      (number) => !certainGroups.has(number) && (this.#namedGroups.has(number) || number > this.#firstOptionalGroup),
    )
    if (resetGroup !== undefined)
      throw this.#errorAt(
        'A group that takes part in only some repetitions has no equivalent in JavaScript.',
        node.index,
      )
  }

  #lookaround(node: LookaroundNode): LoweredLookaround {
    const { ahead, body, index } = node
    if (ahead) return { ...node, body: this.#lowerScoped(body) }
    const branches = body.kind === 'alternation' ? body.branches : [body]
    if (branches.some((branch) => fixedLength(branch) === null))
      throw this.#errorAt('Each alternative of a lookbehind must have a fixed length.', index)
    const wasInLookbehind = this.#inLookbehind
    this.#inLookbehind = true
    const lowered = this.#lowerScoped(body)
    this.#inLookbehind = wasInLookbehind
    return { ...node, body: lowered }
  }

  /**
   * Refuses a reference to a group that may not have matched: in PCRE such a reference fails, in JavaScript it matches the
   * empty text.
   */
  #backreference(node: BackreferenceNode): LoweredNode {
    const [number, another] = node.numbers
    if (number === undefined || another !== undefined || this.#inLookbehind || !this.#certainGroups.has(number))
      throw this.#errorAt(
        'A reference to a group that may not have matched has no equivalent in JavaScript.',
        node.index,
      )
    const copies = this.#groups.filter((group) => group === number).length
    if (copies !== 1)
      throw this.#errorAt(
        'A reference to a group number that occurs twice has no equivalent in JavaScript.',
        node.index,
      )
    if (node.ignoreCase && !this.#syntax.unicode) this.#useCaseFlag(node.index)
    return { ...node, group: this.#groups.indexOf(number) + 1 }
  }

  /**
   * Sets JavaScript's flag `i` for a reference that ignores case. All other nodes of a byte pattern list both cases. The
   * flag applies to the whole pattern, so it is refused where another node would change its meaning.
   */
  #useCaseFlag(index: number): void {
    const { root } = this.#syntax
    const hasMixedCase = someNode(
      root,
      (node) =>
        // JavaScript takes a byte above 127 for a character of Latin-1, and folds its case as well.
        (node.kind === 'characters' && !sameSet(foldLatin1(node.set), node.set)) ||
        (node.kind === 'backreference' && !node.ignoreCase),
    )
    if (hasMixedCase) throw this.#errorAt('JavaScript cannot ignore case in one part of a pattern only.', index)
    this.#needsCaseFlag = true
  }

  /**
   * A condition on a lookaround becomes an alternation: the lookaround with the first branch, or its negation with the
   * second. A condition on a group must be certain, and becomes its first branch.
   */
  #condition({ test, yes, no, index }: ConditionNode): LoweredNode {
    if ('kind' in test) {
      const condition = this.#lookaround(test)
      const yesBranch = this.#lowerScoped(yes)
      const negatedCondition = this.#lookaround({ ...test, negative: !test.negative })
      const noBranch = this.#lowerScoped(no)
      const branches: LoweredNode[] = [
        { kind: 'sequence', items: [condition, yesBranch] },
        { kind: 'sequence', items: [negatedCondition, noBranch] },
      ]
      return { kind: 'alternation', branches }
    }
    if (!test.some((number) => this.#certainGroups.has(number)))
      throw this.#errorAt('A condition on a group that may not have matched has no equivalent in JavaScript.', index)
    return this.#lower(yes)
  }

  #errorAt(message: string, index: number): PatternError {
    const { source, text } = this.#syntax
    const offset = text.length > source.length ? 1 : 0
    return new PatternError(message, source, Math.min(Math.max(index - offset, 0), source.length))
  }
}

const emptyNode: LoweredNode = { kind: 'empty' }

/** Whether the node tries the empty text before other texts. The two engines end a repetition of such a node differently. */
function prefersEmpty(node: PatternNode): boolean {
  if (node.kind === 'repeat') return node.mode === 'lazy' && (node.minimum === 0 || matchesEmpty(node.body))
  return node.kind === 'alternation' && node.branches.slice(0, -1).some(matchesEmpty)
}
