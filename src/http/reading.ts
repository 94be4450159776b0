// These types put an explanation into the compiler's error when the result of `get_param` is used as another type. The
// result has the declared type of the parameter, under an alias that takes the explanation as its type argument; the error
// prints the alias. The explanation cannot replace the type: for the left side of `??`, a cast, and an argument of an
// overloaded function, the compiler tries the mismatch first, and keeps its type even when the use is correct.

/**
 * Type of a rest parameter: it can be empty when the value does not have the expected type, and never when it has it.
 */
export type OnlyOnMismatch<Value, Expected> = [Value] extends [Expected]
  ? [never]
  : // The expected type of `T | null` while T is not inferred yet, as in `new RestResponse(value)`.
    [Expected] extends [null | undefined]
    ? [never]
    : []

/**
 * The value's own type, under an alias that gives the reason. `Expected` is inferred from the branch that never
 * applies.
 */
export type MismatchedRead<Value, Expected, Name extends string> = [Value] extends [Expected]
  ? Expected
  : MismatchReasons<Value, Name>[Reason<Value, Expected>]

type Reason<Value, Expected> = unknown extends Value
  ? 'unknown'
  : [NonNullable<Value>] extends [Expected]
    ? 'absent'
    : 'declared'

/** An interface, because the compiler resolves a member only when it is used. */
interface MismatchReasons<Value, Name extends string> {
  readonly absent: OrNull<
    NonNullable<Value>,
    `'${Name}' reads null when it is absent: test for null, give a value by '??', or declare it required or with a default`
  >
  readonly declared: Declared<Value, `'${Name}' has this type by its declaration: read it as such, or change its rules`>
  readonly unknown: Unknown<`a plain RestRequest does not know '${Name}': give its type in the annotation, as in RestRequest<{ id: string }>, or use RequestOf`>
}

type OrNull<Value, _Sentence extends string> = Value | null

type Declared<Value, _Sentence extends string> = Value | (Value & EmptyInterface)

/**
 * Keeps the compiler from simplifying the union of a type with itself, which would lose the alias. Adds nothing to the
 * type.
 */
interface EmptyInterface {}

/** Equivalent to `unknown`, which itself would absorb the sentence. */
type Unknown<Sentence extends string> = Sentence | {} | null | undefined

/** The compiler's message for a name that is not declared. */
export type UnknownNameSentence<Name extends string> = string extends Name
  ? 'the type of this name is string, so the compiler cannot find its declaration: use a literal name, or a plain RestRequest'
  : `'${Name}' is not declared: correct the name, or add it to the route or args, and to your annotation if there is one`
