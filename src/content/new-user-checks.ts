import { requireKnownFields } from '../base/known-fields.js'
import { isLonger } from '../php/text-length.js'
import { phpTrim } from '../php/trim.js'
import { newPasswordFault } from '../auth/password-hash.js'
import type { Roles } from '../auth/role.js'
import { isEmail } from '../sanitizers/email.js'
import { sanitizeUser } from '../sanitizers/user.js'
import { isAssignableId } from '../database/id-limits.js'
import type { NewUser, UserChange } from './user.js'
import { UserRejectedError } from './user-rejected-error.js'

// The lengths of the columns of the table `users`, in characters.
const maxLoginLength = 60
const maxEmailLength = 100
const maxDisplayNameLength = 250
const maxUrlLength = 100

const newFields: Readonly<Record<keyof NewUser, true>> = {
  login: true,
  email: true,
  password: true,
  role: true,
  displayName: true,
  id: true,
}
const changedFields: Readonly<Record<keyof UserChange, true>> = {
  email: true,
  password: true,
  displayName: true,
  role: true,
  roles: true,
  url: true,
  nicename: true,
  nickname: true,
  firstName: true,
  lastName: true,
  description: true,
  locale: true,
}
const namesOfNew: ReadonlySet<string> = new Set(Object.keys(newFields))
const namesOfChange: ReadonlySet<string> = new Set(Object.keys(changedFields))

/** Checks the fields of a new user, without a query for existing users. @throws UserRejectedError, TypeError for a field that does not exist. */
export function checkNewUser(user: NewUser, roles: Roles): void {
  requireKnownFields(user, namesOfNew, 'A new user')
  checkLogin(user.login)
  checkEmail(user.email)
  checkPassword(user.password)
  checkDisplayName(user.displayName)
  if (user.id !== undefined && !isAssignableId(user.id)) throw new UserRejectedError('invalid_user_id')
  if (user.role != null) checkRole(user.role, roles)
}

/** Checks the fields of a change, without a query for existing users. @throws UserRejectedError, TypeError for a field that does not exist. */
export function checkUserChange(change: UserChange, roles: Roles): void {
  requireKnownFields(change, namesOfChange, 'A change of a user')
  const { email, password, displayName, role, url } = change
  if (email !== undefined) checkEmail(email)
  if (password !== undefined) checkPassword(password)
  checkDisplayName(displayName)
  if (url !== undefined && isLonger(url, maxUrlLength)) throw new UserRejectedError('user_url_too_long')
  for (const text of [url, change.nickname, change.firstName, change.lastName, change.description, change.locale])
    if (text?.isWellFormed() === false) throw new UserRejectedError('invalid_user_text')
  for (const name of change.roles ?? (role == null ? [] : [role])) checkRole(name, roles)
}

function checkDisplayName(name = ''): void {
  if (!name.isWellFormed()) throw new UserRejectedError('invalid_display_name')
  if (name.length > maxDisplayNameLength) throw new UserRejectedError('display_name_too_long')
}

function checkLogin(login: string): void {
  if (phpTrim(login) === '') throw new UserRejectedError('empty_user_login')
  if (login.length > maxLoginLength) throw new UserRejectedError('user_login_too_long')
  if (sanitizeUser(login, true) !== login) throw new UserRejectedError('invalid_username')
}

function checkEmail(email: string): void {
  if (email.length > maxEmailLength) throw new UserRejectedError('user_email_too_long')
  if (!isEmail(email)) throw new UserRejectedError('invalid_email')
}

/** Refuses passwords that the login would never accept. */
function checkPassword(password: string): void {
  const fault = newPasswordFault(password)
  if (fault !== null) throw new UserRejectedError(fault)
}

function checkRole(role: string, roles: Roles): void {
  if (!roles.has(role)) throw new UserRejectedError('invalid_role', role)
}
