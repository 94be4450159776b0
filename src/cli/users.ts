import { parseExpiry } from '../auth/expiry-date.js'
import { openAccounts, type OpenedAccounts } from '../app/accounts.js'
import { inGroupsOfFour } from '../auth/application-passwords.js'
import { randomPassword } from '../auth/random-text.js'
import { suggestion } from '../base/nearest.js'
import { dataOptionsOf, type DataOptions } from './application.js'
import { CommandError } from './command-error.js'
import { counted, type Output } from './output.js'

// The commands `user` and `user application-password`.

type User = NonNullable<Awaited<ReturnType<OpenedAccounts['users']['find']>>>

/** Opens the database of an application, calls `work` with its users, and closes the database. */
export async function withAccounts(
  options: DataOptions,
  output: Output,
  work: (accounts: OpenedAccounts) => Promise<void>,
): Promise<void> {
  const onUnsentNotice = (reason: unknown): void =>
    output.writeError(
      `WordPress was not told of the change (${reasonText(reason)}). If it has a persistent object cache, run: wp cache flush\n`,
    )
  const accounts = await openAccounts(await dataOptionsOf(options), 'change', onUnsentNotice)
  try {
    await work(accounts)
  } finally {
    await accounts.close()
  }
}

/** The message of an error of `fetch` is in its cause. */
function reasonText(reason: unknown): string {
  if (!(reason instanceof Error)) return 'its companion plugin does not answer'
  return reason.cause instanceof Error ? reason.cause.message : reason.message
}

/** The user with this id, login or email address, looked up in this order. @throws CommandError when there is none. */
export async function userNamed({ users }: OpenedAccounts, name: string): Promise<User> {
  const user = await users.find(name)
  if (!user) throw new CommandError('user-missing', `There is no user '${name}'. See: as-rest-route user list`)
  return user
}

/**
 * Refuses a role that does not exist, before anything is changed.
 * @throws CommandError
 */
async function requireRole(role: string | undefined, { roles }: OpenedAccounts): Promise<void> {
  const names = [...(await roles.current()).keys()]
  if (role === undefined || names.includes(role)) return
  throw new CommandError('role-missing', `There is no role '${role}'.${suggestion(role, names)}`)
}

export interface CreateUserOptions extends DataOptions {
  readonly role?: string
  readonly user_pass?: string
  readonly display_name?: string
  readonly porcelain?: boolean
}

export function createUser(login: string, email: string, options: CreateUserOptions, output: Output): Promise<void> {
  return withAccounts(options, output, async (accounts) => {
    const { users } = accounts
    await requireRole(options.role, accounts)
    const password = options.user_pass ?? randomPassword()
    const user = await users.create({
      login,
      email,
      password,
      ...(options.role !== undefined && { role: options.role }),
      ...(options.display_name !== undefined && { displayName: options.display_name }),
    })
    if (options.porcelain) output.line(String(user.id))
    else {
      output.line(`Created user ${user.id}.`)
      if (options.user_pass === undefined) output.line(`Password: ${password}`)
    }
  })
}

export interface UpdateUserOptions extends DataOptions {
  readonly role?: string
  /** `true` for `--user_pass` without a value: the new password is random. */
  readonly user_pass?: string | true
  readonly user_email?: string
  readonly display_name?: string
}

export function updateUser(name: string, options: UpdateUserOptions, output: Output): Promise<void> {
  const { role, user_pass, user_email, display_name } = options
  if ([role, user_pass, user_email, display_name].every((value) => value === undefined))
    throw new CommandError('user-unchanged', 'Say what to change: --role, --user_pass, --user_email or --display_name.')
  return withAccounts(options, output, async (accounts) => {
    const { id } = await userNamed(accounts, name)
    await requireRole(role, accounts)
    const password = user_pass === true ? randomPassword() : user_pass
    await accounts.users.update(id, {
      ...(role !== undefined && { role }),
      ...(password !== undefined && { password }),
      ...(user_email !== undefined && { email: user_email }),
      ...(display_name !== undefined && { displayName: display_name }),
    })
    output.line(`Updated user ${id}.`)
    if (user_pass === true) output.line(`Password: ${password}`)
  })
}

export function listUsers(
  options: DataOptions & { readonly role?: string; readonly json?: boolean },
  output: Output,
): Promise<void> {
  return withAccounts(options, output, async (accounts) => {
    const { users } = accounts
    await requireRole(options.role, accounts)
    const rows: User[] = []
    for (let page = 1; ; page += 1) {
      const pageRows = await users.list({
        page,
        per_page: 1000,
        ...(options.role !== undefined && { role: options.role }),
      })
      rows.push(...pageRows)
      if (pageRows.length < 1000) break
    }
    if (options.json) {
      output.json(
        rows.map(({ id, login, email, displayName, roles, registered }) => ({
          id,
          login,
          email,
          display_name: displayName,
          roles,
          registered,
        })),
      )
    } else {
      output.table(
        ['ID', 'LOGIN', 'EMAIL', 'ROLES', 'REGISTERED'],
        rows.map(({ id, login, email, roles, registered }) => [String(id), login, email, roles.join(', '), registered]),
      )
    }
  })
}

export function deleteUser(
  name: string,
  options: DataOptions & { readonly reassign?: string },
  output: Output,
): Promise<void> {
  return withAccounts(options, output, async (accounts) => {
    const { id } = await userNamed(accounts, name)
    const newAuthor = options.reassign === undefined ? undefined : await userNamed(accounts, options.reassign)
    await accounts.users.delete(id, newAuthor ? { reassign: newAuthor.id } : {})
    output.line(`Removed user ${id}.`)
  })
}

export function createApplicationPassword(
  user: string,
  name: string,
  options: DataOptions & {
    readonly porcelain?: boolean
    readonly scope?: readonly string[]
    readonly expires?: string
  },
  output: Output,
): Promise<void> {
  return withAccounts(options, output, async (accounts) => {
    const { id } = await userNamed(accounts, user)
    if (name.trim() === '')
      throw new CommandError('application-password-unnamed', 'An application password needs a name.')
    const { scope: scopes, expires } = options
    const limits = { ...(scopes && { scopes }), ...(expires !== undefined && { expires: parseExpiry(expires) }) }
    const { password } = await accounts.applicationPasswords.create(id, { name, ...limits })
    if (options.porcelain) output.line(password)
    else {
      output.line('Created an application password. It is not shown again:')
      output.line(inGroupsOfFour(password))
    }
  })
}

export function listApplicationPasswords(
  user: string,
  options: DataOptions & { readonly json?: boolean },
  output: Output,
): Promise<void> {
  return withAccounts(options, output, async (accounts) => {
    const { id } = await userNamed(accounts, user)
    const items = await accounts.applicationPasswords.list(id)
    if (options.json) {
      output.json(
        items.map(({ uuid, name, created, last_used, last_ip, scopes, expires }) => ({
          uuid,
          name,
          created: timeText(created),
          last_used: timeText(last_used),
          last_ip,
          scopes: scopes ?? null,
          expires: timeText(expires ?? null),
        })),
      )
    } else {
      output.table(
        ['UUID', 'NAME', 'CREATED', 'LAST USED', 'LAST ADDRESS', 'ENDS', 'SCOPES'],
        items.map(({ uuid, name, created, last_used, last_ip, scopes, expires }) => [
          uuid,
          name,
          timeText(created) ?? '',
          timeText(last_used) ?? 'never',
          last_ip ?? '',
          timeText(expires ?? null) ?? 'never',
          scopes === undefined ? 'all' : [scopes].flat().join('; '),
        ]),
      )
    }
  })
}

export function deleteApplicationPassword(
  user: string,
  uuid: string | undefined,
  options: DataOptions & { readonly all?: boolean },
  output: Output,
): Promise<void> {
  return withAccounts(options, output, async (accounts) => {
    const { id } = await userNamed(accounts, user)
    if (options.all) {
      const count = await accounts.applicationPasswords.revokeAll(id)
      output.line(`Deleted ${counted(count, 'application password')}.`)
      return
    }
    if (uuid === undefined)
      throw new CommandError('application-password-unspecified', 'Give the UUID of the application password, or --all.')
    if (!(await accounts.applicationPasswords.revoke(id, uuid)))
      throw new CommandError('application-password-missing', `User '${user}' has no application password ${uuid}.`)
    output.line('Deleted 1 application password.')
  })
}

/** A Unix time in seconds as UTC: `2026-11-21T03:15:00Z`. */
function timeText(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString().replace('.000', '')
}
