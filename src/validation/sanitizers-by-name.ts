import type { BindFunction } from '../base/bind-function.js'
import { namedSanitizers } from '../sanitizers/named-sanitizers.js'
import type { SanitizeCallback } from './rules.js'

/**
 * The sanitisers that a `sanitize_callback` may name, by their names: those of WordPress and those of the application. A
 * sanitiser of the application replaces the one of WordPress with its name.
 * @param bind binds those of the application.
 */
export function sanitizersByName(
  ofApplication: Readonly<Record<string, SanitizeCallback>>,
  bind: BindFunction,
): ReadonlyMap<string, SanitizeCallback> {
  const own = Object.entries(ofApplication).map(([name, sanitizer]) => [name, bind(sanitizer)] as const)
  return new Map<string, SanitizeCallback>([...namedSanitizers, ...own])
}
