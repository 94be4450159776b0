import {
  someNode,
  type BackreferenceNode,
  type ConditionNode,
  type LookNode,
  type PatternNode,
  type PatternSyntax,
  type RepeatNode,
} from './ast.js'
import { foldAscii, sameSet } from './character-set.js'
import { sourceOfSet } from './character-source.js'
import { PatternError } from './pattern-error.js'
import { wordItems } from './named-sets.js'
import { alwaysCaptured, capturesIn, fixedLength, matchesEmpty } from './participation.js'

export interface JavaScriptSource {
  readonly source: string
  readonly flags: string
  /** For each JavaScript group, from 1: the number of the pattern's group; 0 for a group of our own making. */
  readonly groups: readonly number[]
}

/**
 * JavaScript source of the same meaning. Groups are told by number only: older engines know no name twice.
 * @throws PatternError where JavaScript's engine has nothing of the same meaning.
 */
export function javaScriptSourceOf(syntax: PatternSyntax): JavaScriptSource {
  return new Translation(syntax).result()
}

class Translation {
  readonly #syntax: PatternSyntax
  readonly #groups: number[] = []
  /** Groups that certainly hold something at the place being written. */
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

  result(): JavaScriptSource {
    const source = this.#write(this.#syntax.root)
    const ignoreCase = this.#syntax.ignoreCase || this.#needsCaseFlag
    return { source, flags: `${ignoreCase ? 'i' : ''}${this.#syntax.unicode ? 'u' : ''}`, groups: this.#groups }
  }

  #write(node: PatternNode): string {
    switch (node.kind) {
      case 'empty':
        return ''
      case 'characters':
        return node.source ?? sourceOfSet(node.set, this.#syntax.unicode)
      case 'sequence':
        return node.items.map((item) => this.#writeThen(item, item.kind === 'alternation')).join('')
      case 'alternation':
        return node.branches.map((branch) => this.#apart(() => this.#write(branch))).join('|')
      case 'capture':
        this.#groups.push(node.number)
        return `(${this.#write(node.body)})`
      case 'atomic':
        return this.#atomic(node.index, node.body)
      case 'repeat':
        return this.#repeat(node)
      case 'edge':
        return this.#syntax.unicode ? (unicodeEdges[node.edge] ?? edges[node.edge]) : edges[node.edge]
      case 'look':
        return this.#look(node)
      case 'backreference':
        return this.#backreference(node)
      case 'condition':
        return this.#condition(node)
    }
  }

  /** Writes the node and counts its groups as captured for what follows. */
  #writeThen(node: PatternNode, grouped: boolean): string {
    const source = this.#write(node)
    this.#captured = new Set([...this.#captured, ...alwaysCaptured(node)])
    return grouped ? `(?:${source})` : source
  }

  /** What is captured inside is not certain outside. */
  #apart<T>(write: () => T): T {
    const before = this.#captured
    const written = write()
    this.#captured = before
    return written
  }

  /** A lookahead keeps nothing to go back to, so what it captured is taken whole or not at all. */
  #atomic(index: number, body: PatternNode): string {
    if (this.#inLookbehind)
      throw this.#fault('An atomic group inside a lookbehind has no equivalent in JavaScript.', index)
    const own = this.#groups.push(0)
    return `(?:(?=(${this.#apart(() => this.#write(body))}))\\${own})`
  }

  #repeat(node: RepeatNode): string {
    if (node.mode === 'possessive') return this.#atomic(node.index, { ...node, mode: 'greedy' })
    const { body, minimum, maximum } = node
    this.#refuseForgottenCaptures(node)
    if (maximum > 1 && matchesEmpty(body) && someNode(body, prefersEmpty))
      throw this.#fault('A repetition of what would rather be empty has no equivalent in JavaScript.', node.index)
    const source = this.#apart(() => this.#write(body))
    const lazy = node.mode === 'lazy'
    // JavaScript drops a repetition that took nothing, and with it what was captured; a choice keeps it.
    if (minimum === 0 && maximum === 1 && matchesEmpty(body) && capturesIn(body).length > 0)
      return lazy ? `(?:|${source})` : `(?:${source}|)`
    const single = body.kind === 'characters' ? !source.startsWith('(?') : body.kind === 'capture'
    return `${single ? source : `(?:${source})`}${countOf(minimum, maximum)}${lazy ? '?' : ''}`
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

  #look(node: LookNode): string {
    const { ahead, negative, body, index } = node
    if (ahead) return `(?${negative ? '!' : '='}${this.#apart(() => this.#write(body))})`
    const branches = body.kind === 'alternation' ? body.branches : [body]
    if (branches.some((branch) => fixedLength(branch) === null))
      throw this.#fault('What stands before must have a fixed length, in each of its alternatives.', index)
    const outer = this.#inLookbehind
    this.#inLookbehind = true
    const source = this.#apart(() => this.#write(body))
    this.#inLookbehind = outer
    return `(?<${negative ? '!' : '='}${source})`
  }

  /** To a group that took no part, PCRE's reference fails and JavaScript's matches nothing: only certain ones do. */
  #backreference(node: BackreferenceNode): string {
    const [number, second] = node.numbers
    if (number === undefined || second !== undefined || this.#inLookbehind || !this.#captured.has(number))
      throw this.#fault('A reference to a group that may not have matched has no equivalent in JavaScript.', node.index)
    const copies = this.#groups.filter((group) => group === number).length
    if (copies !== 1)
      throw this.#fault('A reference to a group with two places has no equivalent in JavaScript.', node.index)
    if (node.ignoreCase && !this.#syntax.unicode) this.#useCaseFlag(node.index)
    return `(?:\\${this.#groups.indexOf(number) + 1})`
  }

  /** Bytes are compared with both cases spelled out; only a reference needs the flag, which then counts everywhere. */
  #useCaseFlag(index: number): void {
    const { root } = this.#syntax
    const mixed = someNode(
      root,
      (node) =>
        (node.kind === 'characters' && !sameSet(foldAscii(node.set), node.set)) ||
        (node.kind === 'backreference' && !node.ignoreCase),
    )
    if (mixed) throw this.#fault('JavaScript cannot ignore case in one part of a pattern only.', index)
    this.#needsCaseFlag = true
  }

  #condition(node: ConditionNode): string {
    const { test, yes, no } = node
    if ('kind' in test) {
      const first = this.#look(test)
      const taken = this.#apart(() => this.#write(yes))
      return `(?:${first}${grouped(taken)}|${this.#look(opposite(test))}${grouped(this.#apart(() => this.#write(no)))})`
    }
    if (!test.some((number) => this.#captured.has(number)))
      throw this.#fault('A condition on a group that may not have matched has no equivalent in JavaScript.', node.index)
    return grouped(this.#write(yes))
  }

  #fault(message: string, index: number): PatternError {
    const { source, text } = this.#syntax
    const offset = text.length > source.length ? 1 : 0
    return new PatternError(message, source, Math.min(Math.max(index - offset, 0), source.length))
  }
}

/** Whether the node tries to take nothing before it tries more: there the two engines stop repeating differently. */
function prefersEmpty(node: PatternNode): boolean {
  if (node.kind === 'repeat') return node.mode === 'lazy' && (node.minimum === 0 || matchesEmpty(node.body))
  return node.kind === 'alternation' && node.branches.slice(0, -1).some(matchesEmpty)
}

function opposite(look: LookNode): LookNode {
  return { ...look, negative: !look.negative }
}

function grouped(source: string): string {
  return source === '' ? '' : `(?:${source})`
}

function countOf(minimum: number, maximum: number): string {
  if (maximum === Infinity) return minimum === 0 ? '*' : minimum === 1 ? '+' : `{${minimum},}`
  if (minimum === 0 && maximum === 1) return '?'
  return minimum === maximum ? `{${minimum}}` : `{${minimum},${maximum}}`
}

const edges = {
  start: '^',
  end: '$',
  final: '(?=\\n?$)',
  'line-start': '(?:^|(?<=\\n)(?!$))',
  'line-end': '(?=\\n|$)',
  word: '\\b',
  'not-word': '\\B',
} as const

const word = `[${wordItems}]`
const unicodeEdges: Partial<Record<string, string>> = {
  word: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
  'not-word': `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
}
