import type { LoweredNode, LoweredPattern } from './lower.js'

/**
 * The pattern without the repeats of any number of characters at its ends: `.*\S.*` becomes `\S`. A pattern that is not
 * anchored matches the same texts without them, because such a repeat may match nothing. With them, the time grows with the
 * square or the cube of the length of the text.
 */
export function withoutOuterRepeats(pattern: LoweredPattern): LoweredPattern {
  const { root } = pattern
  if (root.kind !== 'sequence') return pattern
  const first = root.items.findIndex((item) => !isFreeRepeat(item))
  const last = root.items.findLastIndex((item) => !isFreeRepeat(item))
  return first < 0 ? pattern : { ...pattern, root: { kind: 'sequence', items: root.items.slice(first, last + 1) } }
}

/** Repeats of single characters only: other bodies may have groups that the rest of the pattern refers to. */
function isFreeRepeat(node: LoweredNode): boolean {
  return node.kind === 'repeat' && node.body.kind === 'characters' && node.minimum === 0 && node.maximum === Infinity
}
