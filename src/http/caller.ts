/** The user who sends a request, with all data for capability checks, so that no check queries the database again. */
export interface Caller {
  /** 0 for an anonymous caller. */
  readonly id: number
  readonly login: string
  readonly displayName: string
  readonly email: string
  readonly roles: readonly string[]
  /** Every primitive capability of the user, from roles and from grants to the user. */
  readonly capabilities: ReadonlySet<string>
}

/** The caller of a request without a logged-in user. */
export const anonymous: Caller = {
  id: 0,
  login: '',
  displayName: '',
  email: '',
  roles: [],
  capabilities: new Set(['exist']),
}

/** The application password with which a caller has authenticated. */
export interface UsedApplicationPassword {
  readonly uuid: string
  /** Whether it may be used for a request to a route path, `/shop/v1/products/5`. Null: for every request. */
  readonly allows: ((method: string, path: string) => boolean) | null
}
