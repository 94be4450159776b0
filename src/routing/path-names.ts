/** A group of a pattern while the pattern is parsed. */
interface Group {
  /** The name of the group; `never` without one. */
  name: string
  /** Its name and those of the groups inside. */
  names: string
  /** The names of groups that may not take part in a match. */
  nullable: string
  /** Whether the group has several branches. */
  branched: boolean
  parent: Group | null
}

interface RootGroup extends Group {
  name: never
  names: never
  nullable: never
  branched: false
  parent: null
}

interface OpenGroup<Name extends string, Parent extends Group> {
  name: Name
  names: Name
  nullable: never
  branched: false
  parent: Parent
}

/** A group with some properties replaced. */
interface With<G extends Group, Names extends string, Nullable extends string, Branched extends boolean> {
  name: G['name']
  names: Names
  nullable: Nullable
  branched: Branched
  parent: G['parent']
}

/** The names of a group that may not take part although the group does: all of them, when it has branches. */
type NullableIn<G extends Group> = G['branched'] extends true ? Exclude<G['names'], G['name']> : G['nullable']

type Close<Inner extends Group, IsOptional extends boolean> = Inner['parent'] extends infer Outer extends Group
  ? With<
      Outer,
      Outer['names'] | Inner['names'],
      Outer['nullable'] | (IsOptional extends true ? Inner['names'] : NullableIn<Inner>),
      Outer['branched']
    >
  : Inner

/** The rest of the pattern after a character class. */
type AfterClass<R extends string> = R extends `\\${infer _}${infer Rest}`
  ? AfterClass<Rest>
  : R extends `]${infer Rest}`
    ? Rest
    : R extends `[:${infer _}:]${infer Rest}`
      ? AfterClass<Rest>
      : R extends `${infer _}${infer Rest}`
        ? AfterClass<Rest>
        : ''

/** A `]` that comes first is an ordinary member of the class. */
type AfterClassStart<R extends string> = R extends `^]${infer Rest}` | `]${infer Rest}`
  ? AfterClass<Rest>
  : AfterClass<R>

type Opened<R extends string, G extends Group> = R extends `?P<${infer Name}>${infer Rest}`
  ? Read<Rest, OpenGroup<Name, G>>
  : R extends `?<${'=' | '!'}${infer Rest}`
    ? Read<Rest, OpenGroup<never, G>>
    : R extends `?<${infer Name}>${infer Rest}` | `?'${infer Name}'${infer Rest}`
      ? Read<Rest, OpenGroup<Name, G>>
      : Read<R, OpenGroup<never, G>>

type Closed<R extends string, G extends Group> = R extends `${'?' | '*' | '{0' | '{,'}${string}`
  ? Read<R, Close<G, true>>
  : Read<R, Close<G, false>>

type Read<R extends string, G extends Group> = R extends `${infer First}${infer Rest}`
  ? First extends '\\' | '[' | '(' | ')' | '|'
    ? First extends '('
      ? Opened<Rest, G>
      : First extends ')'
        ? Closed<Rest, G>
        : First extends '['
          ? Read<AfterClassStart<Rest>, G>
          : First extends '|'
            ? Read<Rest, With<G, G['names'], G['nullable'], true>>
            : Rest extends `${infer _}${infer After}`
              ? Read<After, G>
              : G
    : Read<Rest, G>
  : G

/** No group of such a pattern is optional, so it need not be parsed character by character. */
type HasOptionalParts<R extends string> = R extends
  | `${string})?${string}`
  | `${string})*${string}`
  | `${string}){${string}`
  | `${string}|${string}`
  ? true
  : false

type NamesOfPGroups<R extends string> = R extends `${string}(?P<${infer Name}>${infer Rest}`
  ? Name | NamesOfPGroups<Rest>
  : never

/** Names that the groups of a route pattern capture. */
export type PathNames<R extends string> = R extends `${string}(?${"'" | '<'}${string}`
  ? Read<R, RootGroup>['names']
  : NamesOfPGroups<R>

/** The pattern from its first group on, because what is before needs no reading: letters, digits, `/`, `-` and the like. */
type FromFirstGroup<R extends string> = R extends `${infer Before}(${infer Rest}`
  ? Before extends `${string}${'\\' | '[' | ')' | '|'}${string}`
    ? R
    : `(${Rest}`
  : R

/** The names that may not take part in a match: in an optional group, or in one of several branches. */
export type OptionalPathNames<R extends string> =
  HasOptionalParts<R> extends true ? NullableIn<Read<FromFirstGroup<R>, RootGroup>> : never
