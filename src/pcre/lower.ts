import {
  someNode,
  type BackreferenceNode,
  type CharactersNode,
  type ConditionNode,
  type EdgeNode,
  type LookNode,
  type PatternNode,
  type PatternSyntax,
  type RepeatNode,
} from './ast.js'
import { foldLatin1, sameSet } from './character-set.js'
import { PatternError } from './pattern-error.js'
import { alwaysCaptured, capturesIn, fixedLength, matchesEmpty } from './participation.js'

/**
 * A pattern in the terms of JavaScript's engine: what differs between PCRE and JavaScript is already rewritten. The
 * printer writes it node for node, and the judgement of its time reads the same nodes: what is judged is what is run.
 */
export type LoweredNode =
  | { readonly kind: 'empty' }
  | CharactersNode
  /** Inspects at most one character on each side, and is passed in one way. */
  | EdgeNode
  | { readonly kind: 'sequence'; readonly items: readonly LoweredNode[] }
  | { readonly kind: 'alternation'; readonly branches: readonly LoweredNode[] }
  | { readonly kind: 'capture'; readonly index: number; readonly number: number; readonly body: LoweredNode }
  /** A lookahead that captures, and a reference to its group. */
  | { readonly kind: 'atomic'; readonly index: number; readonly body: LoweredNode; readonly group: number }
  | LoweredRepeat
  | LoweredLook
  /** To a group that has always matched; `group` is its number in JavaScript. */
  | (BackreferenceNode & { readonly group: number })

/** A round beyond the minimum that takes nothing fails. */
export interface LoweredRepeat extends RepeatNode {
  readonly body: LoweredNode
  readonly mode: 'greedy' | 'lazy'
}

/** A lookbehind has a fixed length in each of its branches. */
export interface LoweredLook extends LookNode {
  readonly body: LoweredNode
}

export interface LoweredPattern {
  readonly syntax: PatternSyntax
  readonly root: LoweredNode
  /** For each JavaScript group, from 1: the number of the pattern's group; 0 for the group of an atomic node. */
  readonly groups: readonly number[]
  /** The whole pattern has JavaScript's flag `i`. */
  readonly ignoreCase: boolean
}

/**
 * Rewrites a pattern for JavaScript's engine, with the same meaning. Groups are told by number only: older engines know no
 * name twice.
 * @throws PatternFault where JavaScript's engine has nothing of the same meaning.
 */
export function lower(syntax: PatternSyntax): LoweredPattern {
  return new Lowering(syntax).result()
}

class Lowering {
  readonly #syntax: PatternSyntax
  /** In the order of their opening parentheses: a node takes its group before it lowers what is inside. */
  readonly #groups: number[] = []
  /** Groups that certainly hold something at the place being lowered. */
  #captured: ReadonlySet<number> = new Set()
  #inLookbehind = false
  #needsCaseFlag = false
  readonly #named: ReadonlySet<number>
  /** From the first group that may stay unset: whether a later group took part decides between `''` and absent. */
  readonly #firstDoubtful: number

  constructor(syntax: PatternSyntax) {
    this.#syntax = syntax
    this.#named = new Set(syntax.names.map(({ number }) => number))
    const certain = alwaysCaptured(syntax.root)
    this.#firstDoubtful = Math.min(...[...this.#named].filter((number) => !certain.has(number)))
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
      case 'edge':
        return node
      case 'sequence':
        return { kind: 'sequence', items: node.items.map((item) => this.#lowerItem(item)) }
      case 'alternation':
        return { kind: 'alternation', branches: node.branches.map((branch) => this.#lowerApart(branch)) }
      case 'capture':
        this.#groups.push(node.number)
        return { ...node, body: this.#lower(node.body) }
      case 'atomic':
        return this.#atomic(node.index, node.body)
      case 'repeat':
        return this.#repeat(node)
      case 'look':
        return this.#look(node)
      case 'backreference':
        return this.#backreference(node)
      case 'condition':
        return this.#condition(node)
    }
  }

  /** Lowers the node and counts its groups as captured for what follows. */
  #lowerItem(item: PatternNode): LoweredNode {
    const lowered = this.#lower(item)
    const captured = alwaysCaptured(item)
    if (captured.size > 0) this.#captured = new Set([...this.#captured, ...captured])
    return lowered
  }

  /** What is captured inside is not certain outside. */
  #lowerApart(node: PatternNode): LoweredNode {
    const before = this.#captured
    const lowered = this.#lower(node)
    this.#captured = before
    return lowered
  }

  /** A lookahead keeps nothing to go back to, so what it captured is taken whole or not at all. */
  #atomic(index: number, body: PatternNode): LoweredNode {
    if (this.#inLookbehind)
      throw this.#fault('An atomic group inside a lookbehind has no equivalent in JavaScript.', index)
    const group = this.#groups.push(0)
    return { kind: 'atomic', index, body: this.#lowerApart(body), group }
  }

  #repeat(node: RepeatNode): LoweredNode {
    const { body, minimum, maximum, mode } = node
    if (mode === 'possessive') return this.#atomic(node.index, { ...node, mode: 'greedy' })
    this.#refuseForgottenCaptures(node)
    if (maximum > 1 && matchesEmpty(body) && someNode(body, prefersEmpty))
      throw this.#fault('A repetition of what would rather be empty has no equivalent in JavaScript.', node.index)
    const lowered = this.#lowerApart(body)
    // JavaScript drops a repetition that took nothing, and with it what was captured; a choice keeps it.
    if (minimum === 0 && maximum === 1 && matchesEmpty(body) && capturesIn(body).length > 0)
      return { kind: 'alternation', branches: mode === 'lazy' ? [nothing, lowered] : [lowered, nothing] }
    return { ...node, body: lowered, mode }
  }

  /** JavaScript clears the groups inside a repetition each time round; PCRE remembers them. */
  #refuseForgottenCaptures(node: RepeatNode): void {
    if (node.maximum <= 1) return
    const inside = capturesIn(node.body)
    const certain = matchesEmpty(node.body) ? new Set<number>() : alwaysCaptured(node.body)
    const forgotten = inside.find(
      (number) => !certain.has(number) && (this.#named.has(number) || number > this.#firstDoubtful),
    )
    if (forgotten !== undefined)
      throw this.#fault('A group that only some repetitions take part in has no equivalent in JavaScript.', node.index)
  }

  #look(node: LookNode): LoweredLook {
    const { ahead, body, index } = node
    if (ahead) return { ...node, body: this.#lowerApart(body) }
    const branches = body.kind === 'alternation' ? body.branches : [body]
    if (branches.some((branch) => fixedLength(branch) === null))
      throw this.#fault('What stands before must have a fixed length, in each of its alternatives.', index)
    const outer = this.#inLookbehind
    this.#inLookbehind = true
    const lowered = this.#lowerApart(body)
    this.#inLookbehind = outer
    return { ...node, body: lowered }
  }

  /** To a group that took no part, PCRE's reference fails and JavaScript's matches nothing: only certain ones do. */
  #backreference(node: BackreferenceNode): LoweredNode {
    const [number, second] = node.numbers
    if (number === undefined || second !== undefined || this.#inLookbehind || !this.#captured.has(number))
      throw this.#fault('A reference to a group that may not have matched has no equivalent in JavaScript.', node.index)
    const copies = this.#groups.filter((group) => group === number).length
    if (copies !== 1)
      throw this.#fault('A reference to a group with two places has no equivalent in JavaScript.', node.index)
    if (node.ignoreCase && !this.#syntax.unicode) this.#useCaseFlag(node.index)
    return { ...node, group: this.#groups.indexOf(number) + 1 }
  }

  /** Bytes are compared with both cases spelled out; only a reference needs the flag, which then counts everywhere. */
  #useCaseFlag(index: number): void {
    const { root } = this.#syntax
    const mixed = someNode(
      root,
      (node) =>
        // To JavaScript a byte beyond ASCII is a letter of Latin-1.
        (node.kind === 'characters' && !sameSet(foldLatin1(node.set), node.set)) ||
        (node.kind === 'backreference' && !node.ignoreCase),
    )
    if (mixed) throw this.#fault('JavaScript cannot ignore case in one part of a pattern only.', index)
    this.#needsCaseFlag = true
  }

  /** What a lookaround decides is a choice between two lookarounds; what a group decides is certain. */
  #condition({ test, yes, no, index }: ConditionNode): LoweredNode {
    if ('kind' in test) {
      const holds = this.#look(test)
      const taken = this.#lowerApart(yes)
      const fails = this.#look({ ...test, negative: !test.negative })
      const otherwise = this.#lowerApart(no)
      const branches: LoweredNode[] = [
        { kind: 'sequence', items: [holds, taken] },
        { kind: 'sequence', items: [fails, otherwise] },
      ]
      return { kind: 'alternation', branches }
    }
    if (!test.some((number) => this.#captured.has(number)))
      throw this.#fault('A condition on a group that may not have matched has no equivalent in JavaScript.', index)
    return this.#lower(yes)
  }

  #fault(message: string, index: number): PatternError {
    const { source, text } = this.#syntax
    const offset = text.length > source.length ? 1 : 0
    return new PatternError(message, source, Math.min(Math.max(index - offset, 0), source.length))
  }
}

const nothing: LoweredNode = { kind: 'empty' }

/** Whether the node tries to take nothing before it tries more: there the two engines stop repeating differently. */
function prefersEmpty(node: PatternNode): boolean {
  if (node.kind === 'repeat') return node.mode === 'lazy' && (node.minimum === 0 || matchesEmpty(node.body))
  return node.kind === 'alternation' && node.branches.slice(0, -1).some(matchesEmpty)
}
