import { grantsFrom } from '../auth/capabilities.js'
import { grantsIn, mapOf } from '../auth/grants.js'
import type { Roles } from '../auth/role.js'
import type { StoredRoles } from '../auth/roles.js'
import { asArrays } from '../php/array-shape.js'
import { maybeUnserialize, serialize } from '../php/serialize.js'
import { authorLink } from '../content/archive-links.js'
import type { Site } from '../content/site.js'
import { metaValue } from '../database/meta-value.js'
import type { Storage } from '../database/storage.js'
import type { ParsedRequest } from '../http/parsed-request.js'
import type { Problem } from '../http/rest-error.js'
import { compileSchema } from '../validation/schema.js'
import { avatarOptions, avatarUrls } from './avatars.js'
import { httpRequest } from './rest-context.js'
import { preferencesRules } from './user-schema.js'

/** A user with all fields of the profile, under WordPress's names. */
export interface UserProfile {
  readonly id: number
  readonly username: string
  /** The display name. */
  readonly name: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly url: string
  readonly description: string
  /** URL of the author page. */
  readonly link: string
  /** `en_US`. For a user who has chosen none, the locale of the site. */
  readonly locale: string
  readonly nickname: string
  readonly slug: string
  readonly roles: readonly string[]
  /** `2026-01-15T12:00:00+00:00` */
  readonly registered_date: string
  /** The capabilities of the roles, and those granted to or denied to the user. False for a denied one. */
  readonly capabilities: Readonly<Record<string, boolean>>
  /** The grants to the user alone. Each role of the user is one of them. */
  readonly extra_capabilities: Readonly<Record<string, boolean>>
  /** By size in pixels; null when the site shows no avatars. */
  readonly avatar_urls: Readonly<Record<string, string>> | null
  /** The preferences of the block editor; null when the stored value is not a map. */
  readonly preferences: unknown
}

export interface UserProfilesDependencies {
  readonly storage: Storage
  readonly roles: StoredRoles
  readonly site: Site
  /** The prefix of the tables: `wp_`. */
  readonly prefix: string
}

/** The part of a request that names its caller. */
export interface CallerRequest {
  readonly user: { readonly id: number }
}

/** Reads the profiles of users, with the fields that authentication does not need. */
export class UserProfiles {
  readonly #dependencies: UserProfilesDependencies
  /**
   * Whether the caller of a request exists, and the number of writes when it was read: a later write may change it. The key is
   * the parsed request, which the handler and the permission callbacks of all methods share.
   */
  readonly #existence = new WeakMap<ParsedRequest, { readonly writes: number; readonly exists: Promise<boolean> }>()

  constructor(dependencies: UserProfilesDependencies) {
    this.#dependencies = dependencies
  }

  /** The profile of the caller of a request; null when the user does not exist any more. */
  async ofCaller(request: CallerRequest): Promise<UserProfile | null> {
    const writes = this.#dependencies.storage.writes()
    const profile = await this.#find(request.user.id)
    this.#existence.set(httpRequest(request).parsed, { writes, exists: Promise.resolve(profile !== null) })
    return profile
  }

  /** Whether the caller of a request exists. It is read once for a request, and again after a write. */
  callerExists(request: CallerRequest): Promise<boolean> {
    const writes = this.#dependencies.storage.writes()
    const earlier = this.#existence.get(httpRequest(request).parsed)
    if (earlier?.writes === writes) return earlier.exists
    const exists = this.#dependencies.storage.users.find({ id: request.user.id }).then((row) => row !== null)
    this.#existence.set(httpRequest(request).parsed, { writes, exists })
    return exists
  }

  async #find(id: number): Promise<UserProfile | null> {
    const { storage, site, prefix } = this.#dependencies
    const row = await storage.users.findWithMeta({ id })
    if (row === null) return null
    const roles = await this.#dependencies.roles.current()
    const options = await storage.options.readMany([...avatarOptions, 'WPLANG'])
    const { user, meta } = row
    const text = (key: string): string => metaValue(meta, key) ?? ''
    const personalGrants = grantsIn(maybeUnserialize(text(`${prefix}capabilities`)))
    return {
      id: user.ID,
      username: user.user_login,
      name: user.display_name,
      first_name: text('first_name'),
      last_name: text('last_name'),
      email: user.user_email,
      url: user.user_url,
      description: text('description'),
      link: authorLink(user, site),
      locale: text('locale') || options.get('WPLANG') || 'en_US',
      nickname: text('nickname'),
      slug: user.user_nicename,
      roles: [...personalGrants.keys()].filter((name) => roles.has(name)),
      registered_date: `${user.user_registered.replace(' ', 'T')}+00:00`,
      capabilities: mapOf(grantsFrom(personalGrants, roles)),
      extra_capabilities: mapOf(personalGrants),
      avatar_urls: avatarUrls(user.user_email, options),
      preferences: preferencesIn(metaValue(meta, this.#preferencesKey)),
    }
  }

  /** Whether another user has the slug or the address. */
  async isTaken(key: { readonly nicename: string } | { readonly email: string }, id: number): Promise<boolean> {
    const user = await this.#dependencies.storage.users.find(key)
    return user !== null && user.ID !== id
  }

  /** The current roles of the site. */
  roles(): Promise<Roles> {
    return Promise.resolve(this.#dependencies.roles.current())
  }

  /** @param preferences null removes them. */
  async writePreferences(id: number, preferences: unknown): Promise<void> {
    const { meta } = this.#dependencies.storage.users
    if (preferences === null) await meta.remove(id, this.#preferencesKey)
    else await meta.write(id, this.#preferencesKey, serialize(asArrays(preferences)))
  }

  get #preferencesKey(): string {
    return `${this.#dependencies.prefix}persisted_preferences`
  }
}

const preferencesSchema = compileSchema(preferencesRules)

/** The preferences in the argument `meta`, or their problem. Undefined leaves the stored ones unchanged, null removes them. */
export function sentPreferences(meta: unknown): { readonly preferences: unknown } | { readonly problem: Problem } {
  const sent = (meta as { persisted_preferences?: unknown } | null)?.persisted_preferences
  if (sent === undefined || sent === null) return { preferences: sent }
  const problem = preferencesSchema.validate(sent, 'meta.persisted_preferences')
  return problem ? { problem } : { preferences: preferencesSchema.sanitize(sent, '').value }
}

function preferencesIn(text: string | null): unknown {
  const value = text === null ? [] : maybeUnserialize(text)
  return preferencesSchema.validate(value, '') ? null : asArrays(preferencesSchema.sanitize(value, '').value)
}
