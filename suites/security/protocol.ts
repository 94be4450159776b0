export const roles = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'none'] as const
export type Role = (typeof roles)[number]

export interface Member {
  readonly login: string
  readonly email: string
  readonly id: number
  readonly role: Role
  readonly password: string
  /** The header `Cookie`, as a browser sends it to the API. */
  readonly cookie: string
  /** All cookies of the login, as the pages of the administration get them. */
  readonly adminCookies: string
  /** The value of the cookie of the whole site, decoded: `login|expiration|token|mac`. */
  readonly loggedIn: string
  readonly nonce: string
  readonly applicationPassword: string
  readonly uuid: string
}

export interface Site {
  readonly port: number
  readonly url: string
  /** Two of each role. */
  readonly members: readonly Member[]
  /** Every declared route, also those that the index does not show. */
  readonly declared: readonly { readonly method: string; readonly pattern: string }[]
}

export interface RecordWish {
  readonly type: string
  readonly status: string
  readonly author: number
  readonly title?: string
  readonly content?: string
  readonly excerpt?: string
  readonly password?: string
  /** Slugs by taxonomy. */
  readonly terms?: Readonly<Record<string, readonly string[]>>
}

/** A link for a new password, as a message has it. */
export interface ResetLink {
  readonly login: string
  readonly key: string
}

/** The halves of the secrets by WordPress's names, known to the attacker of this suite alone. */
export const secrets = {
  AUTH_KEY: 'auth key of the suite',
  AUTH_SALT: 'auth salt of the suite',
  SECURE_AUTH_KEY: 'secure auth key of the suite',
  SECURE_AUTH_SALT: 'secure auth salt of the suite',
  LOGGED_IN_KEY: 'logged in key of the suite',
  LOGGED_IN_SALT: 'logged in salt of the suite',
  NONCE_KEY: 'nonce key of the suite',
  NONCE_SALT: 'nonce salt of the suite',
} as const
