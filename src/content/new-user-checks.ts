import { byteLength } from '../php/text.js'
import { phpTrim } from '../php/trim.js'
import type { Roles } from '../auth/role.js'
import { isEmail } from '../sanitizers/email.js'
import { sanitizeUser } from '../sanitizers/user.js'
import { isKnownId } from '../database/id-limits.js'
import type { NewUser, UserChange } from './user.js'
import { UserRejected } from './user-rejected-error.js'

const longestLogin = 60
const longestEmail = 100
const longestDisplayName = 250
const longestPassword = 4096

/** Whatever is wrong with a new user that can be known without looking at the others. @throws UserRejected */
export function checkNewUser(user: NewUser, roles: Roles): void {
  checkLogin(user.login)
  checkEmail(user.email)
  checkPassword(user.password)
  checkDisplayName(user.displayName)
  if (user.id !== undefined && !isKnownId(user.id)) throw new UserRejected('invalid_user_id')
  if (user.role != null) checkRole(user.role, roles)
}

/** The same for what is to be changed. @throws UserRejected */
export function checkUserChange({ email, password, displayName, role }: UserChange, roles: Roles): void {
  if (email !== undefined) checkEmail(email)
  if (password !== undefined) checkPassword(password)
  checkDisplayName(displayName)
  if (role != null) checkRole(role, roles)
}

function checkDisplayName(name = ''): void {
  if (!name.isWellFormed()) throw new UserRejected('invalid_display_name')
  if (name.length > longestDisplayName) throw new UserRejected('display_name_too_long')
}

function checkLogin(login: string): void {
  if (phpTrim(login) === '') throw new UserRejected('empty_user_login')
  if (login.length > longestLogin) throw new UserRejected('user_login_too_long')
  if (sanitizeUser(login, true) !== login) throw new UserRejected('invalid_username')
}

function checkEmail(email: string): void {
  if (email.length > longestEmail) throw new UserRejected('user_email_too_long')
  if (!isEmail(email)) throw new UserRejected('invalid_email')
}

/** A password that would never be accepted at a login. */
function checkPassword(password: string): void {
  const trimmed = phpTrim(password)
  if (trimmed === '') throw new UserRejected('empty_password')
  if (byteLength(trimmed) > longestPassword) throw new UserRejected('password_too_long')
}

function checkRole(role: string, roles: Roles): void {
  if (!roles.has(role)) throw new UserRejected('invalid_role', role)
}
