import type { MetaEntry } from './storage.js'

/**
 * The oldest value of exactly this key; null without one. A database may compare keys without case, but WordPress treats them
 * as different keys.
 */
export function metaValue(meta: readonly MetaEntry[], key: string): string | null {
  return meta.find((entry) => entry.key === key)?.value ?? null
}
