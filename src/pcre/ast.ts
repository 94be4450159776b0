import type { CharacterSet } from './character-set.js'

/**
 * A node of the syntax tree of a pattern. Flags, escapes and classes are already resolved into sets of characters.
 * `index` is the position of the node in {@link PatternSyntax.text}.
 */
export type PatternNode =
  | { readonly kind: 'empty' }
  | CharactersNode
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'alternation'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'capture'; readonly index: number; readonly number: number; readonly body: PatternNode }
  | { readonly kind: 'atomic'; readonly index: number; readonly body: PatternNode }
  | RepeatNode
  | AnchorNode
  | LookaroundNode
  | BackreferenceNode
  | ConditionNode

/** Matches exactly one character of a set. */
export interface CharactersNode {
  readonly kind: 'characters'
  readonly index: number
  /** The characters that match; a superset of them when `source` is not null. */
  readonly set: CharacterSet
  /**
   * JavaScript source (flag `u`) that matches the exact characters. It is null when `set` is exact. It is needed for
   * Unicode properties and for sets that depend on the flag `i`. It matches each character in only one way, so it causes
   * no backtracking.
   */
  readonly source: string | null
}

export interface RepeatNode {
  readonly kind: 'repeat'
  /** The position of the repeated item. */
  readonly index: number
  /** The position behind the quantifier. */
  readonly end: number
  readonly body: PatternNode
  readonly minimum: number
  /** `Infinity` for an unlimited repetition. */
  readonly maximum: number
  readonly mode: 'greedy' | 'lazy' | 'possessive'
}

/**
 * An assertion about a position. `end` is `\z`, the end of the text. `final` is `$` without the flag `m`: the end of the
 * text, or before a newline that is its last character. `word` and `not-word` are `\b` and `\B`.
 */
export type Anchor = 'start' | 'end' | 'final' | 'line-start' | 'line-end' | 'word' | 'not-word'

export interface AnchorNode {
  readonly kind: 'anchor'
  readonly index: number
  readonly anchor: Anchor
}

export interface LookaroundNode {
  readonly kind: 'lookaround'
  readonly index: number
  readonly ahead: boolean
  readonly negative: boolean
  readonly body: PatternNode
}

export interface BackreferenceNode {
  readonly kind: 'backreference'
  readonly index: number
  /** The number of the referenced group; several numbers when several groups share the name. */
  readonly numbers: readonly number[]
  readonly ignoreCase: boolean
}

export interface ConditionNode {
  readonly kind: 'condition'
  readonly index: number
  /** Groups, of which at least one must have matched, or a lookaround. */
  readonly test: readonly number[] | LookaroundNode
  readonly yes: PatternNode
  readonly no: PatternNode
}

export interface PatternSyntax {
  /** The pattern as the author wrote it. */
  readonly source: string
  /** The parsed text: with `^` and `$` around it when `anchored`; one character per byte unless `unicode`. */
  readonly text: string
  /** PHP's flag `u`: characters are code points, and `\d \w \s` match by Unicode properties. Otherwise they are bytes. */
  readonly unicode: boolean
  readonly root: PatternNode
  /** The number of capturing groups. */
  readonly captureCount: number
  /** The named groups in the order of their numbers. A name may occur more than once. */
  readonly names: readonly { readonly name: string; readonly number: number }[]
  /** Whether JavaScript's flag `i` is needed. True for `unicode` patterns only; other patterns list both cases. */
  readonly ignoreCase: boolean
}

export function alternationOf(branches: readonly PatternNode[]): PatternNode {
  const [first, second] = branches
  return first !== undefined && second === undefined ? first : { kind: 'alternation', branches }
}

/** The direct children of a node. */
export function childrenOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case 'sequence':
      return node.items
    case 'alternation':
      return node.branches
    case 'capture':
    case 'atomic':
    case 'repeat':
    case 'lookaround':
      return [node.body]
    case 'condition':
      return 'kind' in node.test ? [node.test, node.yes, node.no] : [node.yes, node.no]
    default:
      return []
  }
}

/** Whether the predicate holds for this node or one of its descendants. */
export function someNode(node: PatternNode, predicate: (node: PatternNode) => boolean): boolean {
  return predicate(node) || childrenOf(node).some((child) => someNode(child, predicate))
}
