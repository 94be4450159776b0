import type {
  Member,
  NullableSentence,
  PromiseInside,
  WidenedSentence,
  WrongTypeSentence,
} from './mismatch-sentences.js'

/**
 * Describes why a schema of a library does not accept a value; `never` when it does. Lists of the value may be read-only, and
 * interfaces need no index signature, unlike in the types of libraries. The compiler evaluates it only for values that
 * are not assignable as they are.
 * @typeParam Expected what the schema accepts. @typeParam Begin the beginning of the sentence.
 * @typeParam Path `''` for the body itself.
 */
export type LibraryMismatch<Value, Expected, Begin extends string, Path extends string> = [Value] extends [Expected]
  ? never
  : [Extract<Value, PromiseLike<unknown>>] extends [never]
    ? [Value] extends [Expected | null | undefined]
      ? NullableSentence<Begin, Path>
      : PresentMismatch<Exclude<Value, Nullish>, Exclude<Expected, Nullish>, Begin, Path>
    : PromiseInside<Begin, Path>

type Nullish = null | undefined

/** Values that have no members to compare. */
type Scalar =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | ((...parameters: never[]) => unknown)

type PresentMismatch<Value, Expected, Begin extends string, Path extends string> = Value extends unknown
  ? IsSingle<Expected> extends true
    ? SingleTypeMismatch<Value, Expected, Begin, Path>
    : [FittingMember<Value, Expected>] extends [never]
      ? WrongType<Value, Expected, Begin, Path>
      : never
  : never

/** The members of a union that accept a value. */
type FittingMember<Value, Expected> = Expected extends unknown
  ? [SingleTypeMismatch<Value, Expected, '', ''>] extends [never]
    ? Expected
    : never
  : never

/** Whether a type is not a union. */
type IsSingle<Expected, Member = Expected> = Member extends unknown
  ? [Expected] extends [Member]
    ? true
    : false
  : never

/** Compares two types that are not unions. */
type SingleTypeMismatch<Value, Expected, Begin extends string, Path extends string> = [Value] extends [Expected]
  ? never
  : [Value] extends [Scalar]
    ? WrongType<Value, Expected, Begin, Path>
    : [Expected] extends [Scalar]
      ? WrongType<Value, Expected, Begin, Path>
      : Expected extends readonly (infer ExpectedItem)[]
        ? Value extends readonly (infer Item)[]
          ? number extends Expected['length']
            ? LibraryMismatch<Item, ExpectedItem, Begin, `${Path}[]`>
            : [Value] extends [Readonly<Expected>]
              ? never
              : WrongType<Value, Expected, Begin, Path>
          : WrongType<Value, Expected, Begin, Path>
        : Value extends readonly unknown[]
          ? WrongType<Value, Expected, Begin, Path>
          : {
              [Name in keyof Expected]-?: string extends Name
                ? IndexedMembersMismatch<Value, Expected, Name, Begin, Path>
                : MemberMismatch<Value, Expected, Name, Begin, Path>
            }[keyof Expected]

/** Compares the members that the schema does not name with its index signature. */
type IndexedMembersMismatch<
  Value,
  Expected,
  Index extends keyof Expected,
  Begin extends string,
  Path extends string,
> = {
  [Name in Exclude<keyof Value, keyof Named<Expected>>]-?: LibraryMismatch<
    Value[Name],
    Expected[Index],
    Begin,
    Member<Path, Name>
  >
}[Exclude<keyof Value, keyof Named<Expected>>]

type Named<Expected> = { [Name in keyof Expected as string extends Name ? never : Name]: true }

type MemberMismatch<
  Value,
  Expected,
  Name extends keyof Expected,
  Begin extends string,
  Path extends string,
> = Name extends keyof Value
  ? LibraryMismatch<Value[Name], Expected[Name], Begin, Member<Path, Name>>
  : {} extends Pick<Expected, Name>
    ? never
    : `${Begin} without '${Member<Path, Name>}', which its schema requires: return it, or make it optional`

type WrongType<Value, Expected, Begin extends string, Path extends string> = [Expected] extends [string]
  ? string extends Expected
    ? WrongTypeSentence<Value, Begin, Path, 'the type string'>
    : string extends Value
      ? WidenedSentence<Begin, Path>
      : WrongTypeSentence<Value, Begin, Path, 'an enum'>
  : WrongTypeSentence<Value, Begin, Path, TypeText<Expected>>

type TypeText<Expected> = [Expected] extends [number]
  ? 'the type number'
  : [Expected] extends [boolean]
    ? 'the type boolean'
    : [Expected] extends [Date]
      ? 'a Date'
      : [Expected] extends [Scalar]
        ? 'another type'
        : [Expected] extends [readonly unknown[]]
          ? 'the type array'
          : IsSingle<Expected> extends true
            ? 'the type object'
            : 'several types'
