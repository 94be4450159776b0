import { childrenOf, type PatternNode } from './ast.js'

const noGroups: ReadonlySet<number> = new Set()

/** The groups that take part in every match of this node. */
export function alwaysCaptured(node: PatternNode): ReadonlySet<number> {
  switch (node.kind) {
    case 'capture':
      return new Set([...alwaysCaptured(node.body), node.number])
    case 'sequence':
      return new Set(node.items.flatMap((item) => [...alwaysCaptured(item)]))
    case 'alternation':
      return intersectionOf(node.branches.map(alwaysCaptured))
    case 'condition':
      return intersectionOf([alwaysCaptured(node.yes), alwaysCaptured(node.no)])
    case 'repeat':
      return node.minimum > 0 ? alwaysCaptured(node.body) : noGroups
    case 'lookaround':
      return node.negative ? noGroups : alwaysCaptured(node.body)
    case 'atomic':
      return alwaysCaptured(node.body)
    default:
      return noGroups
  }
}

function intersectionOf(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const [first = noGroups, ...others] = sets
  return new Set([...first].filter((number) => others.every((set) => set.has(number))))
}

/** The numbers of the capturing groups in this node. */
export function capturesIn(node: PatternNode): readonly number[] {
  const innerGroups = childrenOf(node).flatMap(capturesIn)
  return node.kind === 'capture' ? [node.number, ...innerGroups] : innerGroups
}

/** Whether the node can match the empty text. */
export function matchesEmpty(node: PatternNode): boolean {
  switch (node.kind) {
    case 'characters':
      return false
    case 'sequence':
      return node.items.every(matchesEmpty)
    case 'alternation':
      return node.branches.some(matchesEmpty)
    case 'condition':
      return matchesEmpty(node.yes) || matchesEmpty(node.no)
    case 'repeat':
      return node.minimum === 0 || matchesEmpty(node.body)
    case 'capture':
    case 'atomic':
      return matchesEmpty(node.body)
    default:
      return true
  }
}

/** The number of characters that the node matches; null when it varies. */
export function fixedLength(node: PatternNode): number | null {
  switch (node.kind) {
    case 'characters':
      return 1
    case 'sequence':
      return node.items
        .map(fixedLength)
        .reduce((sum, length) => (sum === null || length === null ? null : sum + length), 0)
    case 'alternation':
      return sameLength(node.branches.map(fixedLength))
    case 'condition':
      return sameLength([fixedLength(node.yes), fixedLength(node.no)])
    case 'repeat': {
      const length = node.minimum === node.maximum ? fixedLength(node.body) : null
      return length === null ? null : length * node.minimum
    }
    case 'capture':
    case 'atomic':
      return fixedLength(node.body)
    case 'backreference':
      return null
    default:
      return 0
  }
}

function sameLength(lengths: readonly (number | null)[]): number | null {
  const [first = null, ...others] = lengths
  return others.every((length) => length === first) ? first : null
}
