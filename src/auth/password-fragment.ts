/** Four characters of a stored password hash. The signatures of login cookies depend on them, so that a new hash ends them. */
export type PasswordFragment = (hash: string) => string

/** The fragment of WordPress 6.8 and later: from the salt of phpass and plain bcrypt, or else the last four characters. */
export const passwordFragment: PasswordFragment = (hash) =>
  hash.startsWith('$P$') || hash.startsWith('$2y$') ? hash.slice(8, 12) : hash.slice(-4)

/** The fragment of WordPress before 6.8, for every format. All hashes of Argon2, which only plugins make, have the same one. */
export const passwordFragmentBefore68: PasswordFragment = (hash) => hash.slice(8, 12)
