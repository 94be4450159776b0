import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { inGroupsOfFour } from '../authentication/application-passwords.js'
import type { Service } from '../running-service.js'
import type { Output } from './output.js'
import { exampleRequests } from './example-requests.js'

const login = 'admin'

/**
 * Makes the first administrator of a new database, and says once how to log in: in a terminal by printing it, else in
 * a file that only this user can read, so that no secret ends up in a log.
 */
export async function greetFirstStart(service: Service, url: string, output: Output): Promise<void> {
  if ((await service.users.count()) > 0) return
  const password = randomBytes(15).toString('base64url')
  const { id } = await service.users.create({
    login,
    email: 'admin@localhost.localdomain',
    password,
    role: 'administrator',
  })
  const { password: secret } = await service.applicationPasswords.create(id, { name: 'First start' })
  const { line, colors } = output
  line(colors.bold('This start made a new database and an administrator.'))
  let credentials = `'${login}:${inGroupsOfFour(secret)}'`
  if (output.isTerminal) {
    line(`  Log in at ${url}/wp-login.php as ${colors.bold(login)} with ${colors.bold(password)}`)
    line(`  Application password (for programs): ${colors.bold(inGroupsOfFour(secret))}`)
    line('  Neither is shown again.')
  } else {
    const file = keptAt(`login=${login}\npassword=${password}\napplication_password=${secret}\n`)
    line(`  Log in at ${url}/wp-login.php; the password is in ${file}`)
    credentials = `"${login}:$(sed -n s/^application_password=//p ${file})"`
  }
  line()
  line('Try:')
  for (const request of exampleRequests(service.routes, `${url}/wp-json`, credentials)) line(`  ${request}`)
  line()
}

/** @returns the path of a file in the current folder's `data`, mode 0600. */
function keptAt(text: string): string {
  const folder = resolve('data')
  mkdirSync(folder, { recursive: true })
  const file = resolve(folder, 'first-login.txt')
  writeFileSync(file, text, { mode: 0o600 })
  return file
}
