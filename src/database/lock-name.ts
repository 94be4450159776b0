/** What a writer holds, see `Storage.lock`: a text that is unique, or one row with all that belongs to it. */
type Locked = 'slug' | 'login' | 'email' | 'nicename' | 'term' | 'post' | 'user'

/**
 * The name to lock before a look whether a text is free, or before a row is read in order to be changed. It is the same for
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
