/** What a role gives to the users who have it. */
export interface Role {
  /** For people: `Administrator`. */
  readonly label: string
  /** `false` takes away what an earlier role of the same user has granted. */
  readonly capabilities: ReadonlyMap<string, boolean>
}

/** By role name, as in a user's `wp_capabilities`: `administrator`. */
export type Roles = ReadonlyMap<string, Role>
