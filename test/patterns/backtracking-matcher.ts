import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Goes on with the rest of the pattern at a position; whether it matches. */
type Rest = (at: number) => boolean
/** Tries a part of the pattern at a position, with the rest behind it; whether both match. */
type Part = (at: number, rest: Rest) => boolean

type Span = readonly [from: number, to: number]

class StepLimitError extends Error {}

/**
 * A plain backtracking matcher with the semantics of ECMAScript that counts its steps, over the syntax tree of an
 * independent parser. Engines are built alike, so its steps tell how long they take, without a clock.
 */
export class BacktrackingMatcher {
  readonly #pattern: Part
  readonly #flags: string
  readonly #ignoreCase: boolean
  readonly #unicode: boolean
  readonly #groups: readonly AST.CapturingGroup[]
  #text: readonly string[] = []
  #spans: (Span | undefined)[] = []
  #steps = 0
  #most = Infinity

  constructor({ source, flags, ignoreCase, unicode }: RegExp) {
    if (/[^iu]/.test(flags)) throw new Error(`The matcher does not know the flags ${flags}.`)
    this.#flags = flags
    this.#ignoreCase = ignoreCase
    this.#unicode = unicode
    const tree = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode })
    this.#groups = groupsIn(tree)
    this.#pattern = this.#alternatives(tree.alternatives, false)
  }

  /** How many steps a match takes, or its failure; `most` when that is more. */
  stepsOver(text: string, most: number): number {
    this.#most = most
    try {
      this.exec(text)
    } catch (error) {
      if (!(error instanceof StepLimitError)) throw error
    } finally {
      this.#most = Infinity
    }
    return this.#steps
  }

  /** What `RegExp.prototype.exec` returns: the match and its groups. */
  exec(text: string): (string | undefined)[] | null {
    this.#text = this.#unicode ? Array.from(text) : text.split('')
    this.#steps = 0
    for (let from = 0; from <= this.#text.length; from += 1) {
      let end = -1
      this.#spans = this.#groups.map(() => undefined)
      const isMatch = this.#pattern(from, (to) => {
        end = to
        return true
      })
      if (isMatch) return [[from, end] as const, ...this.#spans].map((span) => span && this.#textOf(span))
    }
    return null
  }

  #textOf([from, to]: Span): string {
    return this.#text.slice(from, to).join('')
  }

  #step(): void {
    if (this.#steps >= this.#most) throw new StepLimitError()
    this.#steps += 1
  }

  #alternatives(alternatives: readonly AST.Alternative[], backward: boolean): Part {
    const parts = alternatives.map(({ elements }) => this.#row(elements, backward))
    const [only, second] = parts
    if (only !== undefined && second === undefined) return only
    return (at, rest) => {
      this.#step()
      return parts.some((part) => part(at, rest))
    }
  }

  #row(elements: readonly AST.Element[], backward: boolean): Part {
    const parts = elements.map((element) => this.#part(element, backward))
    return (backward ? parts : parts.toReversed()).reduce<Part>(
      (behind, part) => (at, rest) => part(at, (to) => behind(to, rest)),
      (at, rest) => rest(at),
    )
  }

  #part(element: AST.Element, backward: boolean): Part {
    switch (element.type) {
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
        return this.#character(element.raw, backward)
      case 'Group':
        return this.#alternatives(element.alternatives, backward)
      case 'CapturingGroup':
        return this.#capture(element, backward)
      case 'Quantifier':
        return this.#quantifier(element, backward)
      case 'Backreference':
        return this.#backreference(element, backward)
      case 'Assertion':
        return this.#assertion(element)
      default:
        throw new Error(`The matcher does not know ${element.raw}.`)
    }
  }

  /** Whether one character is in a class is asked of the engine itself. */
  #character(raw: string, backward: boolean): Part {
    const single = new RegExp(`^(?:${raw})$`, this.#flags)
    const responses = new Map<string, boolean>()
    return (at, rest) => {
      this.#step()
      const character = this.#text[backward ? at - 1 : at]
      if (character === undefined) return false
      let response = responses.get(character)
      if (response === undefined) responses.set(character, (response = single.test(character)))
      return response && rest(backward ? at - 1 : at + 1)
    }
  }

  #capture(group: AST.CapturingGroup, backward: boolean): Part {
    const index = this.#groups.indexOf(group)
    const body = this.#alternatives(group.alternatives, backward)
    return (at, rest) => {
      this.#step()
      return body(at, (to) => {
        const before = this.#spans[index]
        this.#spans[index] = backward ? [to, at] : [at, to]
        if (rest(to)) return true
        this.#spans[index] = before
        return false
      })
    }
  }

  /** RepeatMatcher of the standard: each round clears the groups inside; one beyond the minimum must take something. */
  #quantifier({ min, max, greedy, element }: AST.Quantifier, backward: boolean): Part {
    const body = this.#part(element, backward)
    const inside = groupsIn(element).map((group) => this.#groups.indexOf(group))
    const repeat = (least: number, most: number, at: number, rest: Rest): boolean => {
      this.#step()
      if (most === 0) return rest(at)
      const round = (): boolean => {
        const before = inside.map((index) => this.#spans[index])
        for (const index of inside) this.#spans[index] = undefined
        if (body(at, (to) => (least > 0 || to !== at) && repeat(Math.max(0, least - 1), most - 1, to, rest)))
          return true
        for (const [place, index] of inside.entries()) this.#spans[index] = before[place]
        return false
      }
      if (least > 0) return round()
      return greedy ? round() || rest(at) : rest(at) || round()
    }
    return (at, rest) => repeat(min, max, at, rest)
  }

  #backreference({ resolved }: AST.Backreference, backward: boolean): Part {
    if (Array.isArray(resolved)) throw new Error('The matcher does not know groups that share a name.')
    const index = this.#groups.indexOf(resolved)
    return (at, rest) => {
      this.#step()
      const [from, to] = this.#spans[index] ?? [0, 0]
      const start = backward ? at - (to - from) : at
      for (let offset = 0; offset < to - from; offset += 1) {
        this.#step()
        if (!this.#isSame(this.#text[from + offset], this.#text[start + offset])) return false
      }
      return rest(backward ? start : start + to - from)
    }
  }

  #isSame(a: string | undefined, b: string | undefined): boolean {
    if (a === b) return true
    return a !== undefined && b !== undefined && this.#ignoreCase && new RegExp(`^[${a}]$`, this.#flags).test(b)
  }

  #assertion(assertion: AST.Assertion): Part {
    switch (assertion.kind) {
      case 'start':
        return this.#edge((at) => at === 0)
      case 'end':
        return this.#edge((at) => at === this.#text.length)
      case 'word':
        return this.#edge((at) => (this.#isWord(at - 1) !== this.#isWord(at)) !== assertion.negate)
      default:
        return this.#look(assertion)
    }
  }

  #edge(holds: (at: number) => boolean): Part {
    return (at, rest) => {
      this.#step()
      return holds(at) && rest(at)
    }
  }

  #isWord(at: number): boolean {
    return /^\w$/.test(this.#text[at] ?? '')
  }

  /** Nothing inside is tried again once it has matched. */
  #look({ kind, negate, alternatives }: AST.LookaroundAssertion): Part {
    const body = this.#alternatives(alternatives, kind === 'lookbehind')
    return (at, rest) => {
      this.#step()
      const before = [...this.#spans]
      const isMatch = body(at, () => true)
      if (negate) this.#spans = [...before]
      if (isMatch !== negate && rest(at)) return true
      this.#spans = before
      return false
    }
  }
}

/** In the order of their numbers. */
function groupsIn(node: AST.Pattern | AST.Element): AST.CapturingGroup[] {
  const inside =
    node.type === 'Quantifier'
      ? groupsIn(node.element)
      : 'alternatives' in node
        ? node.alternatives.flatMap(({ elements }) => elements.flatMap(groupsIn))
        : []
  return node.type === 'CapturingGroup' ? [node, ...inside] : inside
}
