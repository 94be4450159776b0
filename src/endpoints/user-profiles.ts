import { grantsFrom } from '../auth/capabilities.js'
import { grantsIn, mapOf } from '../auth/grants.js'
import type { StoredRoles } from '../auth/roles.js'
import { maybeUnserialize } from '../php/serialize.js'
import type { Site } from '../content/site.js'
import { metaValue } from '../database/meta-value.js'
import type { Storage } from '../database/storage.js'

/** A user with what he says about himself, under WordPress's names. */
export interface UserProfile {
  readonly id: number
  readonly username: string
  /** As it is displayed. */
  readonly name: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly url: string
  readonly description: string
  /** Address of his page. */
  readonly link: string
  /** `en_US` */
  readonly locale: string
  readonly nickname: string
  readonly slug: string
  readonly roles: readonly string[]
  /** `2026-01-15T12:00:00+00:00` */
  readonly registered_date: string
  /** What his roles and personal grants say, refusals included. */
  readonly capabilities: Readonly<Record<string, boolean>>
  /** Personal grants alone; a role is one of them. */
  readonly extra_capabilities: Readonly<Record<string, boolean>>
}

export interface UserProfilesDependencies {
  readonly storage: Storage
  readonly roles: StoredRoles
  readonly site: Site
  /** Of the tables: `wp_`. */
  readonly prefix: string
}

/** Reads what the database has about users besides what deciding on their requests takes. */
export class UserProfiles {
  readonly #parts: UserProfilesDependencies

  constructor(parts: UserProfilesDependencies) {
    this.#parts = parts
  }

  async find(id: number): Promise<UserProfile | null> {
    const { storage, site, prefix } = this.#parts
    const found = await storage.users.findWithMeta({ id })
    if (found === null) return null
    const roles = await this.#parts.roles.current()
    const { user, meta } = found
    const text = (key: string): string => metaValue(meta, key) ?? ''
    const personal = grantsIn(maybeUnserialize(text(`${prefix}capabilities`)))
    return {
      id: user.ID,
      username: user.user_login,
      name: user.display_name,
      first_name: text('first_name'),
      last_name: text('last_name'),
      email: user.user_email,
      url: user.user_url,
      description: text('description'),
      link: `${site.home}/author/${user.user_nicename}/`,
      locale: text('locale') || 'en_US',
      nickname: text('nickname'),
      slug: user.user_nicename,
      roles: [...personal.keys()].filter((name) => roles.has(name)),
      registered_date: `${user.user_registered.replace(' ', 'T')}+00:00`,
      capabilities: mapOf(grantsFrom(personal, roles)),
      extra_capabilities: mapOf(personal),
    }
  }
}
