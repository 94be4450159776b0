/** Four characters of a stored password hash. The signatures of login cookies depend on them, so that a new hash ends them. */
export type PasswordFragment = (hash: string) => string

/** That of WordPress 6.8 and later: of the salt of phpass and plain bcrypt, or else the end. */
export const passwordFragment: PasswordFragment = (hash) =>
  hash.startsWith('$P$') || hash.startsWith('$2y$') ? hash.slice(8, 12) : hash.slice(-4)

/** That of WordPress before 6.8, whatever the format. It is the same for all hashes of Argon2, which only plugins make there. */
export const passwordFragmentBefore68: PasswordFragment = (hash) => hash.slice(8, 12)
