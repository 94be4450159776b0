import type { CharacterSet } from './character-set.js'

/**
 * A pattern, understood: flags, escapes and classes are already resolved into sets of characters. `index` points into
 * {@link PatternSyntax.text}.
 */
export type PatternNode =
  | { readonly kind: 'empty' }
  | CharactersNode
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'alternation'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'capture'; readonly index: number; readonly number: number; readonly body: PatternNode }
  | { readonly kind: 'atomic'; readonly index: number; readonly body: PatternNode }
  | RepeatNode
  | EdgeNode
  | LookNode
  | BackreferenceNode
  | ConditionNode

/** Exactly one character of a set. */
export interface CharactersNode {
  readonly kind: 'characters'
  readonly index: number
  /** Which characters; a superset of them when `source` is not null. */
  readonly set: CharacterSet
  /**
   * JavaScript source (flag `u`) when the set cannot be listed (Unicode properties) or depends on the flag `i`. It takes
   * each character in one way.
   */
  readonly source: string | null
}

export interface RepeatNode {
  readonly kind: 'repeat'
  /** Where the repeated item begins, and where its quantifier ends. */
  readonly index: number
  readonly end: number
  readonly body: PatternNode
  readonly minimum: number
  /** `Infinity` when there is none. */
  readonly maximum: number
  readonly mode: 'greedy' | 'lazy' | 'possessive'
}

/** `final` is PCRE's `$`: the end, or before a newline that is the last character. */
export type Edge = 'start' | 'end' | 'final' | 'line-start' | 'line-end' | 'word' | 'not-word'

export interface EdgeNode {
  readonly kind: 'edge'
  readonly index: number
  readonly edge: Edge
}

export interface LookNode {
  readonly kind: 'look'
  readonly index: number
  readonly ahead: boolean
  readonly negative: boolean
  readonly body: PatternNode
}

export interface BackreferenceNode {
  readonly kind: 'backreference'
  readonly index: number
  /** The group's number; several when groups share the name. */
  readonly numbers: readonly number[]
  readonly ignoreCase: boolean
}

export interface ConditionNode {
  readonly kind: 'condition'
  readonly index: number
  /** The groups of which one must have matched, or a lookaround. */
  readonly test: readonly number[] | LookNode
  readonly yes: PatternNode
  readonly no: PatternNode
}

export interface PatternSyntax {
  /** As it was written. */
  readonly source: string
  /** What was parsed: with anchors when asked for, as bytes (one character each) unless `unicode`. */
  readonly text: string
  /** Characters are code points, and `\d \w \s` know Unicode (flag `u` in PHP); otherwise they are bytes. */
  readonly unicode: boolean
  readonly root: PatternNode
  /** How many groups capture. */
  readonly captures: number
  /** By ascending number; a name may occur more than once. */
  readonly names: readonly { readonly name: string; readonly number: number }[]
  /** Unicode only: the whole pattern ignores case. */
  readonly ignoreCase: boolean
}

export function alternationOf(branches: readonly PatternNode[]): PatternNode {
  const [only, second] = branches
  return only !== undefined && second === undefined ? only : { kind: 'alternation', branches }
}

/** The nodes directly inside. */
export function childrenOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case 'sequence':
      return node.items
    case 'alternation':
      return node.branches
    case 'capture':
    case 'atomic':
    case 'repeat':
    case 'look':
      return [node.body]
    case 'condition':
      return 'kind' in node.test ? [node.test, node.yes, node.no] : [node.yes, node.no]
    default:
      return []
  }
}

/** Whether this node, or one anywhere inside it, fits. */
export function someNode(node: PatternNode, fits: (node: PatternNode) => boolean): boolean {
  return fits(node) || childrenOf(node).some((child) => someNode(child, fits))
}
