/** What the forms of the profile do; true where the form is about one thing of several, named by its field `target`. */
const actions = {
  'create-application-password': false,
  'revoke-application-password': true,
  'revoke-all-application-passwords': false,
  'end-session': true,
  'end-other-sessions': false,
  'end-all-sessions': false,
} as const

export type ProfileAction = keyof typeof actions

/** What the nonce of a form is made for, so that it is good for nothing else; null for an action that is none. */
export function nonceActionOf(action: string, target: string): string | null {
  if (!Object.hasOwn(actions, action)) return null
  return actions[action as ProfileAction] ? `${action}_${target}` : action
}
