import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Announcement } from './announcement.js'
import { makeFolder } from '../base/make-folder.js'
import { adminAddress, type SiteAddresses } from '../http/site-addresses.js'
import { inGroupsOfFour } from '../auth/application-passwords.js'
import { randomPassword } from '../auth/random-text.js'
import type { Service } from '../app/service.js'
import { exampleRequests } from './example-requests.js'
import { CommandError } from './command-error.js'
import { shellQuoted } from './shell.js'

/** The value of curl's option `-u` for the first administrator: `login:password`, quoted for a shell. */
export type Credentials = string

/**
 * Creates the first administrator of a new database. The passwords are printed in a terminal. Otherwise they
 * are written to a file that only the operating-system user of the process can read, since the output may be a log. The
 * function is called before the service listens: if another program takes the port meanwhile, the administrator has a known
 * password all the same.
 * @param folder preferred folder of the file; null for a database in memory, which leaves no file in the project.
 * @returns null, without an effect, when the seed of the application has created an administrator.
 */
export async function createAdministrator(
  service: Service,
  announcement: Announcement,
  folder: string | null,
): Promise<Credentials | null> {
  if ((await service.users.count({ role: 'administrator' })) > 0) return null
  const password = randomPassword()
  const { login, email } = await unusedName(service)
  const { id } = await service.users.create({ login, email, password, role: 'administrator' })
  const { password: applicationPassword } = await service.applicationPasswords.create(id, { name: 'First start' })
  const { line, colors, isInTerminal } = announcement
  const sentence = 'This start created a new database and an administrator.'
  line(colors?.bold(sentence) ?? sentence, { login })
  if (isInTerminal && colors !== null) {
    line(`  Login:                ${colors.bold(login)}`)
    line(`  Password:             ${colors.bold(password)}`)
    line(`  Application password: ${colors.bold(inGroupsOfFour(applicationPassword))} (for programs)`)
    line('  The passwords are not shown again.')
    return shellQuoted(`${login}:${inGroupsOfFour(applicationPassword)}`)
  }
  const text = `login=${login}\npassword=${password}\napplication_password=${applicationPassword}\n`
  const file = writePrivateFile(folder, text)
  // The passwords are of no use after the process has ended, and the database in memory with it.
  if (folder === null) process.once('exit', () => rmSync(file, { force: true }))
  line(`  The passwords are in ${file}, which only you can read.`, { file })
  return `"${login}:$(sed -n s/^application_password=//p ${shellQuoted(file)})"`
}

/**
 * Prints the URL of the login page, at the address of the site as browsers reach it, and three example commands, which a
 * terminal of this machine sends to the service itself.
 */
export function printFirstSteps(
  service: Service,
  { url, site }: { readonly url: string; readonly site: SiteAddresses },
  credentials: Credentials,
  { line }: Announcement,
): void {
  const page = `${adminAddress(site)}/wp-login.php`
  line(`  Log in:               ${page}`, { page })
  line()
  line('Try:')
  const root = `${url}/${service.restPrefix}`
  for (const request of exampleRequests(service.routes, root, credentials)) line(`  ${request}`)
  line()
}

/** `admin`; `admin-2` and so on when a seeded user has the login or the address. */
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

/**
 * Writes a new file with mode 0600 into the folder, or into the folder for temporary files when that fails.
 * @returns the path of the file.
 * @throws CommandError when neither folder is writable.
 */
function writePrivateFile(folder: string | null, text: string): string {
  const failures: string[] = []
  for (const directory of folder === null ? [tmpdir()] : [folder, tmpdir()]) {
    try {
      makeFolder(directory)
      return newFileIn(
        directory,
        directory === tmpdir() ? `first-login-${randomBytes(6).toString('hex')}` : 'first-login',
        text,
      )
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new CommandError(
    'passwords-not-written',
    `The file for the administrator's passwords cannot be written. ${failures.join('; ')}.`,
  )
}

/**
 * Writes a new file: `<name>.txt`, or `<name>-2.txt` and so on when that file exists.
 * @returns the path of the file.
 */
function newFileIn(folder: string, name: string, text: string): string {
  for (let number = 1; ; number += 1) {
    const file = join(folder, `${name}${number === 1 ? '' : `-${number}`}.txt`)
    try {
      // An existing file is not overwritten: it may have the only copy of other passwords, or be a symbolic link.
      writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
      return file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
