/** The kinds of locks of `Storage.lock`. A lock is held on a unique text, or on one row and everything that belongs to it. */
type Locked = 'slug' | 'login' | 'email' | 'nicename' | 'term' | 'post' | 'user' | 'option'

/** The characters that all numbered variants of a name keep: the longest number leaves this many of a nicename. */
const numberedLength = 40

/**
 * The part that a nicename or the slug of a term shares with all variants that differ in numbers at the end: `tea` for `tea`,
 * `tea-2` and `tea-2-3`. A writer that looks for the first free number locks this text. Every writer of a variant
 * locks the same text, so it waits.
 */
export const withoutNumber = (slug: string): string => slug.slice(0, numberedLength).replace(/(?:-\d*)+$/, '')

/**
 * The name to lock before checking whether a text is free, or before reading a row in order to change it. It is the same for
 * all texts that a database may take for equal: case and accents do not count.
 */
export function lockName(locked: Locked, text: string | number): string {
  const name = `${locked}:${text}`
  if (/^[\x00-\x7f]*$/.test(name)) return name.toLowerCase().trimEnd()
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trimEnd()
}
