import type { Anchor } from './ast.js'
import { sourceOfSet } from './character-source.js'
import type { LoweredNode, LoweredPattern, LoweredRepeat } from './lower.js'
import { wordClassBody } from './named-sets.js'

/** Prints a pattern in JavaScript's syntax, node for node: `lower` has already rewritten it. */
export function javaScriptSourceOf({ root, syntax: { unicode }, ignoreCase }: LoweredPattern): {
  readonly source: string
  readonly flags: string
} {
  return { source: print(root, unicode), flags: `${ignoreCase ? 'i' : ''}${unicode ? 'u' : ''}` }
}

function print(node: LoweredNode, unicode: boolean): string {
  switch (node.kind) {
    case 'empty':
      return ''
    case 'characters':
      return node.source ?? sourceOfSet(node.set, unicode)
    case 'anchor':
      return unicode ? (unicodeAnchorSources[node.anchor] ?? anchorSources[node.anchor]) : anchorSources[node.anchor]
    case 'sequence':
      return node.items.map((item) => printItem(item, unicode)).join('')
    case 'alternation':
      return node.branches.map((branch) => print(branch, unicode)).join('|')
    case 'capture':
      return `(${print(node.body, unicode)})`
    case 'atomic':
      return `(?:(?=(${print(node.body, unicode)}))\\${node.group})`
    case 'repeat':
      return printRepeat(node, unicode)
    case 'lookaround':
      return `(?${node.ahead ? '' : '<'}${node.negative ? '!' : '='}${print(node.body, unicode)})`
    case 'backreference':
      // In a group of its own, because a digit that follows would become part of the number.
      return `(?:\\${node.group})`
  }
}

function printItem(item: LoweredNode, unicode: boolean): string {
  const source = print(item, unicode)
  return item.kind === 'alternation' ? `(?:${source})` : source
}

function printRepeat({ body, minimum, maximum, mode }: LoweredRepeat, unicode: boolean): string {
  const source = print(body, unicode)
  const isSingle = body.kind === 'characters' ? !source.startsWith('(?') : body.kind === 'capture'
  return `${isSingle ? source : `(?:${source})`}${countOf(minimum, maximum)}${mode === 'lazy' ? '?' : ''}`
}

function countOf(minimum: number, maximum: number): string {
  if (maximum === Infinity) return minimum === 0 ? '*' : minimum === 1 ? '+' : `{${minimum},}`
  if (minimum === 0 && maximum === 1) return '?'
  return minimum === maximum ? `{${minimum}}` : `{${minimum},${maximum}}`
}

// At most one alternative of an anchor matches at a position, so an anchor matches in only one way.
const anchorSources: Readonly<Record<Anchor, string>> = {
  start: '^',
  end: '$',
  final: '(?=\\n?$)',
  'line-start': '(?:^|(?<=\\n)(?!$))',
  'line-end': '(?=\\n|$)',
  word: '\\b',
  'not-word': '\\B',
}

const wordClass = `[${wordClassBody}]`
const unicodeAnchorSources: Partial<Record<Anchor, string>> = {
  word: `(?:(?<=${wordClass})(?!${wordClass})|(?<!${wordClass})(?=${wordClass}))`,
  'not-word': `(?:(?<=${wordClass})(?=${wordClass})|(?<!${wordClass})(?!${wordClass}))`,
}
