import * as fc from 'fast-check'

/** A piece of a pattern, before its groups have their numbers. */
type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'row'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'choice'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'group'; readonly opening: string; readonly piece: Piece }
  | { readonly kind: 'repeat'; readonly piece: Piece; readonly count: string }
  | { readonly kind: 'reference'; readonly back: number }
  | { readonly kind: 'condition'; readonly test: Piece | number; readonly yes: Piece; readonly no: Piece | null }

/** Of random patterns and of the texts for them. */
export const letters = ['a', 'b', '-', ',']

const text = (...texts: string[]): fc.Arbitrary<Piece> =>
  fc.constantFrom(...texts).map((one): Piece => ({ kind: 'text', text: one }))

const letter = text(...letters)
const character = fc.oneof(
  { weight: 4, arbitrary: letter },
  { weight: 2, arbitrary: text('[ab]', '[^a]', '[^,]', '[a-z]', '[A-Za-z]', '[-,]', '\\w', '.') },
  { weight: 1, arbitrary: text('\\W', '[\\W,]', '[\\W\\D]', '[\\w-]', '[^\\W,]', '\\D', '\\R') },
)
const count = fc
  .tuple(
    fc.constantFrom('?', '?', '*', '*', '+', '+', '{2}', '{3}', '{0,2}', '{1,3}', '{2,}', '{0}', '{1,6}', '{6}'),
    fc.constantFrom('', '', '', '', '?', '+'),
  )
  .map(([many, mode]) => many + mode)

/** What a lookbehind may hold: of one length in each branch. */
const fixedRow = fc
  .array(fc.oneof({ weight: 3, arbitrary: character }, text('(?:a|b)', '(?:a|a)', '[ab]{2}', '(,)', '(?=a)', '\\b')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((pieces): Piece => ({ kind: 'row', pieces: pieces.filter((piece) => !isLineEnd(piece)) }))
const fixed = fc.array(fixedRow, { minLength: 1, maxLength: 2 }).map((pieces): Piece => ({ kind: 'choice', pieces }))

const isLineEnd = (piece: Piece): boolean => piece.kind === 'text' && piece.text === '\\R'

const repeated = (part: fc.Arbitrary<Piece>, counts: fc.Arbitrary<string>): fc.Arbitrary<Piece> =>
  fc.tuple(part, counts).map(([one, many]): Piece => ({ kind: 'repeat', piece: one, count: many }))

const grouped = (openings: readonly string[], part: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> =>
  fc.tuple(fc.constantFrom(...openings), part).map(([opening, one]): Piece => ({ kind: 'group', opening, piece: one }))

const reference = fc.nat(1).map((back): Piece => ({ kind: 'reference', back }))

type Kind = 'piece' | 'row' | 'choice' | 'maybe' | 'counted' | 'look'
const { piece, row, counted } = fc.letrec<Record<Kind, Piece>>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: character },
    { weight: 5, arbitrary: repeated(tie('piece'), count) },
    { weight: 5, arbitrary: grouped(['(', '(', '(', '(?<>', '(?:', '(?:', '(?>'], tie('choice')) },
    { weight: 3, arbitrary: tie('counted') },
    { weight: 1, arbitrary: tie('look') },
    { weight: 1, arbitrary: reference },
    {
      weight: 1,
      arbitrary: fc
        .tuple(grouped(['(', '(?<>'], tie('row')), reference)
        .map((pieces): Piece => ({ kind: 'row', pieces })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(fc.nat(2), tie('look')), tie('row'), fc.option(tie('row')))
        .map(([test, yes, no]): Piece => ({ kind: 'condition', test, yes, no })),
    },
    { weight: 1, arbitrary: text('\\b', '\\B', '^', '$', '(?m:^)', '(?m:$)', '(?!)') },
  ),
  row: fc.array(tie('piece'), { maxLength: 4 }).map((pieces): Piece => ({ kind: 'row', pieces })),
  choice: fc.oneof(
    { weight: 3, arbitrary: tie('row') },
    {
      weight: 2,
      arbitrary: fc
        .array(tie('row'), { minLength: 2, maxLength: 3 })
        .map((pieces): Piece => ({ kind: 'choice', pieces })),
    },
  ),
  /** What may be empty. */
  maybe: fc.oneof(
    repeated(tie('piece'), fc.constantFrom('?', '*', '{0,2}')),
    tie('piece').map((one): Piece => ({ kind: 'choice', pieces: [one, { kind: 'row', pieces: [] }] })),
  ),
  counted: repeated(grouped(['(', '(', '(?<>', '(?:'], tie('maybe')), count),
  look: fc.oneof(grouped(['(?=', '(?!'], tie('choice')), grouped(['(?<=', '(?<!'], fixed)),
}))

/** Writes pieces in PCRE's syntax, and numbers their groups. */
class Writer {
  #groups = 0

  write(written: Piece): string {
    switch (written.kind) {
      case 'text':
        this.#groups += written.text.match(/\((?!\?)/g)?.length ?? 0
        return written.text
      case 'row':
        return written.pieces.map((one) => this.#inRow(one)).join('')
      case 'choice':
        return written.pieces.map((one) => this.write(one)).join('|')
      case 'group':
        return `${this.#opened(written.opening)}${this.write(written.piece)})`
      case 'repeat':
        return `${this.#repeated(written.piece)}${written.count}`
      case 'reference':
        // The empty group keeps a digit behind it apart from the number.
        return this.#groups === 0 ? ',' : `\\${Math.max(1, this.#groups - written.back)}(?:)`
      case 'condition':
        return this.#condition(written.test, written.yes, written.no)
    }
  }

  #inRow(one: Piece): string {
    return one.kind === 'choice' ? `(?:${this.write(one)})` : this.write(one)
  }

  #opened(opening: string): string {
    if (opening === '(' || opening === '(?<>') this.#groups += 1
    return opening === '(?<>' ? `(?<n${this.#groups}>` : opening
  }

  /** Edges cannot be repeated, and neither can a row without its parentheses. */
  #repeated(one: Piece): string {
    const isSingle = one.kind === 'group' || (one.kind === 'text' && /^(?:.|\\[wWD]|\[.*\])$/.test(one.text))
    return isSingle ? this.write(one) : `(?:${this.write(one)})`
  }

  #condition(test: Piece | number, yes: Piece, no: Piece | null): string {
    if (typeof test === 'number' && this.#groups === 0) return this.#inRow(yes)
    const condition = typeof test === 'number' ? `(${Math.max(1, this.#groups - test)})` : this.write(test)
    const taken = this.write(yes)
    return `(?${condition}${taken}${no === null ? '' : `|${this.write(no)}`})`
  }
}

/** A repetition of what may be empty and a letter: the shape in which the same nothing can be taken in several ways. */
const loop = repeated(
  fc
    .tuple(row, counted, letter)
    .chain((pieces) => fc.shuffledSubarray(pieces, { minLength: 2 }))
    .map((pieces): Piece => ({ kind: 'group', opening: '(?:', piece: { kind: 'row', pieces } })),
  fc.constantFrom('*', '+', '+', '+?', '{2,}'),
)
const anything = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces): Piece => ({ kind: 'row', pieces }))

/** PCRE patterns over {@link letters} with everything that can be nested; some are not valid. */
export const randomPattern: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: loop }, { weight: 3, arbitrary: anything }).map((one) => new Writer().write(one)),
    fc.constantFrom('#', '#', '#', '#b', '(?:#)+', '(?:#-)+', '(?:#a|,)+', '(?=#)'),
  )
  .map(([pattern, frame]) => frame.replace('#', () => pattern))
