import type { MetaEntry } from './storage.js'

/**
 * The oldest value of the very key, null without one. A database may find keys without regard to case; in WordPress's
 * eyes they are others.
 */
export function metaValue(meta: readonly MetaEntry[], key: string): string | null {
  return meta.find((entry) => entry.key === key)?.value ?? null
}
