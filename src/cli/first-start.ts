import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inGroupsOfFour } from '../auth/application-passwords.js'
import { randomPassword } from '../auth/random-text.js'
import type { Service } from '../app/service.js'
import { exampleRequests } from './example-requests.js'
import { CommandError } from './fail.js'
import type { Output } from './output.js'
import { shellQuoted } from './shell.js'

/** How the first administrator is named on a command line: `login:password`, quoted for a shell. */
export type Credentials = string

/**
 * Makes the first administrator of a new database, and says once how to log in: in a terminal by printing it, else in
 * a file that only this user can read, so that no secret ends up in a log. It happens before the service listens: a
 * port that is taken must not leave a shop without a key.
 * @param folder where the file goes by choice; `null` for a database in memory, which leaves nothing in the project.
 * @returns `null` when the application has made an administrator of its own; other users do not count.
 */
export async function makeAdministrator(
  service: Service,
  output: Output,
  folder: string | null,
): Promise<Credentials | null> {
  if ((await service.users.count({ role: 'administrator' })) > 0) return null
  const password = randomPassword()
  const { login, email } = await unusedName(service)
  const { id } = await service.users.create({ login, email, password, role: 'administrator' })
  const { password: secret } = await service.applicationPasswords.create(id, { name: 'First start' })
  const { line, colors } = output
  line(colors.bold('This start made a new database and an administrator.'))
  if (output.isTerminal) {
    line(`  Login:                ${colors.bold(login)}`)
    line(`  Password:             ${colors.bold(password)}`)
    line(`  Application password: ${colors.bold(inGroupsOfFour(secret))} (for programs)`)
    line('  Neither is shown again.')
    return shellQuoted(`${login}:${inGroupsOfFour(secret)}`)
  }
  const file = keptIn(folder, `login=${login}\npassword=${password}\napplication_password=${secret}\n`)
  // The database ends with the process, and with it what the file opens.
  if (folder === null) process.once('exit', () => rmSync(file, { force: true }))
  line(`  How to log in is in ${file}, readable by you alone.`)
  return `"${login}:$(sed -n s/^application_password=//p ${shellQuoted(file)})"`
}

/** What to do with a new service: where to log in, and three commands to paste. */
export function tellFirstSteps(service: Service, url: string, credentials: Credentials, { line }: Output): void {
  line(`  Log in:               ${url}/wp-login.php`)
  line()
  line('Try:')
  const root = `${url}/${service.restPrefix}`
  for (const request of exampleRequests(service.routes, root, credentials)) line(`  ${request}`)
  line()
}

/** `admin`, unless the application gave that name or its address to one of its own users: then `admin-2` and so on. */
async function unusedName({ users }: Service): Promise<{ readonly login: string; readonly email: string }> {
  for (let number = 1; ; number += 1) {
    const login = number === 1 ? 'admin' : `admin-${number}`
    const email = `${login}@localhost.localdomain`
    if (!(await users.find(login)) && !(await users.find(email))) return { login, email }
  }
}

export async function hasUsers({ users }: Service): Promise<boolean> {
  return (await users.list({ per_page: 1 })).length > 0
}

/** @returns the path of a new file, mode 0600, in the first of the folders that lets us write. */
function keptIn(folder: string | null, text: string): string {
  const problems: string[] = []
  for (const place of folder === null ? [tmpdir()] : [folder, tmpdir()]) {
    try {
      mkdirSync(place, { recursive: true })
      return newFileIn(
        place,
        place === tmpdir() ? `first-login-${randomBytes(6).toString('hex')}` : 'first-login',
        text,
      )
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new CommandError(`The administrator's password cannot be kept anywhere. ${problems.join('; ')}.`)
}

/** @returns the path of the file: `first-login.txt`, or `first-login-2.txt` and so on beside those that are there. */
function newFileIn(folder: string, name: string, text: string): string {
  for (let number = 1; ; number += 1) {
    const file = join(folder, `${name}${number === 1 ? '' : `-${number}`}.txt`)
    try {
      // What is there may be the only key to another database, or a link to somewhere else: it is never touched.
      writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
      return file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
