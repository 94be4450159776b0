/** The path of a property within a body. @typeParam Path `''` for the body itself. */
export type Member<Path extends string, Name> = Path extends '' ? Name & string : `${Path}.${Name & string}`

export type PathText<Path extends string> = Path extends '' ? 'its body' : `'${Path}'`

export type PromiseInside<
  Begin extends string,
  Path extends string,
> = `${Begin} with a promise as ${PathText<Path>}: write 'await' before it`

export type NullableSentence<
  Begin extends string,
  Path extends string,
> = `${Begin} with ${PathText<Path>} that may be absent or null: give a value, or allow null in its schema`

/** @typeParam Text what the schema has, such as `the type integer`. */
export type WrongTypeSentence<
  Value,
  Begin extends string,
  Path extends string,
  Text extends string,
> = string extends Value
  ? `${Begin} with text as ${PathText<Path>}, where its schema has ${Text}: change one of them`
  : `${Begin} with another type as ${PathText<Path>} than its schema, which has ${Text}: change one of them`

export type WidenedSentence<
  Begin extends string,
  Path extends string,
> = `${Begin} with any text as ${PathText<Path>}, where its schema has an enum: write 'as const' behind the text, or change the schema`
