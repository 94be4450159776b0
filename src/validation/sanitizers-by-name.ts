import { namedSanitizers } from '../sanitizers/named-sanitizers.js'
import type { SanitizeCallback } from './rules.js'

/**
 * The sanitisers that a `sanitize_callback` may name, by their names: those of WordPress and those of the application. A
 * sanitiser of the application replaces the one of WordPress with its name.
 */
export function sanitizersByName(
  ofApplication: Readonly<Record<string, SanitizeCallback>>,
): ReadonlyMap<string, SanitizeCallback> {
  return new Map<string, SanitizeCallback>([...namedSanitizers, ...Object.entries(ofApplication)])
}
