import { childrenOf, type PatternNode } from './ast.js'

const none: ReadonlySet<number> = new Set()

/** The groups that have captured something whenever this node has matched. */
export function alwaysCaptured(node: PatternNode): ReadonlySet<number> {
  switch (node.kind) {
    case 'capture':
      return new Set([...alwaysCaptured(node.body), node.number])
    case 'sequence':
      return new Set(node.items.flatMap((item) => [...alwaysCaptured(item)]))
    case 'alternation':
      return common(node.branches.map(alwaysCaptured))
    case 'condition':
      return common([alwaysCaptured(node.yes), alwaysCaptured(node.no)])
    case 'repeat':
      return node.minimum > 0 ? alwaysCaptured(node.body) : none
    case 'look':
      return node.negative ? none : alwaysCaptured(node.body)
    case 'atomic':
      return alwaysCaptured(node.body)
    default:
      return none
  }
}

function common(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const [first = none, ...others] = sets
  return new Set([...first].filter((number) => others.every((set) => set.has(number))))
}

/** The groups inside this node. */
export function capturesIn(node: PatternNode): readonly number[] {
  const inside = childrenOf(node).flatMap(capturesIn)
  return node.kind === 'capture' ? [node.number, ...inside] : inside
}

/** Whether the node can match without taking a character. */
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

/** How many characters the node takes, when that is always the same; otherwise null. */
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
