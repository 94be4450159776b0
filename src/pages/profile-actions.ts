/** The actions of the forms on the profile page. True for an action on one session or password: the field `target`. */
const hasTarget = {
  'create-application-password': false,
  'revoke-application-password': true,
  'revoke-all-application-passwords': false,
  'end-session': true,
  'end-other-sessions': false,
  'end-all-sessions': false,
} as const

export type ProfileAction = keyof typeof hasTarget

/** The nonce action of a form, which contains its target; null when the action is unknown. */
export function nonceActionOf(action: string, target: string): string | null {
  if (!Object.hasOwn(hasTarget, action)) return null
  return hasTarget[action as ProfileAction] ? `${action}_${target}` : action
}
