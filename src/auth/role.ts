/** A role and its capabilities. */
export interface Role {
  /** The name that pages show: `Administrator`. */
  readonly label: string
  /** `false` revokes a capability that an earlier role of the same user grants. */
  readonly capabilities: ReadonlyMap<string, boolean>
}

/** Roles by name. The name is the key in the metadata `wp_capabilities` of a user: `administrator`. */
export type Roles = ReadonlyMap<string, Role>
