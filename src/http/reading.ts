// A read that does not fit where it stands gets the type that it has anyway, under a name that holds a sentence, which
// the compiler's refusal prints. The type itself must stay the same: a read that is the left side of `??`, is cast, or is
// the argument of an overloaded function is looked at as misfit before it turns out to be right, and the compiler keeps
// the type it found then.

/** For a rest parameter: nothing to give when the value does not fit what its place wants, and the impossible when it does. */
export type OnlyMisfits<Value, Wanted> = [Value] extends [Wanted]
  ? [never]
  : // What the compiler takes for wanted by `T | null` when T is yet to be inferred, as in `new RestResponse(value)`.
    [Wanted] extends [null | undefined]
    ? [never]
    : []

/** The value's own type, named by why it does not fit. `Wanted` is inferred from the branch that is never taken. */
export type Misfit<Value, Wanted, Name extends string> = [Value] extends [Wanted]
  ? Wanted
  : Misfits<Value, Name>[Reason<Value, Wanted>]

type Reason<Value, Wanted> = unknown extends Value
  ? 'unknown'
  : [NonNullable<Value>] extends [Wanted]
    ? 'absent'
    : 'declared'

/** An interface, because its members cost the compiler nothing until one is asked for. */
interface Misfits<Value, Name extends string> {
  readonly absent: OrNull<
    NonNullable<Value>,
    `'${Name}' reads null when it is absent: test for null, give a value by '??', or declare it required or with a default`
  >
  readonly declared: Declared<Value, `'${Name}' has this type by its declaration: read it as such, or change its rules`>
  readonly unknown: Unknown<`a plain RestRequest does not know '${Name}': give its type in the annotation, as in RestRequest<{ id: string }>, or use RequestOf`>
}

type OrNull<Value, _Sentence extends string> = Value | null

type Declared<Value, _Sentence extends string> = Value | (Value & Nothing)

/** Adds nothing to a type, but keeps the union of a type with itself, and so its name, from being simplified away. */
interface Nothing {}

/** As much as `unknown`, which itself would swallow the name. */
type Unknown<Sentence extends string> = Sentence | {} | null | undefined

/** What is wrong with a name that is not declared. */
export type UnknownNameSentence<Name extends string> = string extends Name
  ? 'this name is known as text only: give it the type of a declared name, or take a plain RestRequest'
  : `'${Name}' is not declared: correct the name, or add it to the route or args, and to your annotation if there is one`
