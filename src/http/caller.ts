/** Who sends a request, with everything needed to decide on capabilities without asking the database again. */
export interface Caller {
  /** 0 for an anonymous caller. */
  readonly id: number
  readonly login: string
  readonly displayName: string
  readonly email: string
  readonly roles: readonly string[]
  /** Every primitive capability held, from roles and personal grants. */
  readonly capabilities: ReadonlySet<string>
}

export const anonymous: Caller = {
  id: 0,
  login: '',
  displayName: '',
  email: '',
  roles: [],
  capabilities: new Set(['exist']),
}
