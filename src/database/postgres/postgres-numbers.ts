/** The number at the beginning of a text. More digits and larger exponents than these are not a number of PostgreSQL. */
const leadingNumber = String.raw`^[[:space:]]*[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]{1,3}(?![0-9]))?`
const maxNumberLength = 100

/** The number that a text starts with; 0 when it starts with none. Without backslashes, which some sessions read otherwise. */
export const numberOf = (expression: string): string =>
  `coalesce(substring(left(${expression}, ${maxNumberLength}) FROM '${leadingNumber}')::numeric, 0)`
