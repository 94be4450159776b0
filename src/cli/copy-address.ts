import { readFileSync } from 'node:fs'
import { environmentVariable } from '../app/environment-variable.js'
import { storeAdapterOf } from '../app/stores.js'
import { CommandError } from './command-error.js'

/**
 * The address of a server with the password that the environment has for it. An address with a password of its own stays
 * unchanged, as does that of a file.
 * @param role the variables are `FROM_DATABASE_PASSWORD` and `FROM_DATABASE_PASSWORD_FILE`, or those with `TO`.
 * @throws CommandError when the file cannot be read.
 */
export function withPassword(address: string, role: 'FROM' | 'TO'): string {
  if (storeAdapterOf(address).locate(address).file !== null) return address
  const [, scheme, user, hasPassword, rest] = /^([a-z]+:\/\/)(?:([^/?#:]*)(:[^/?#]*)?@)?(.*)$/s.exec(address) ?? []
  if (scheme === undefined || hasPassword !== undefined) return address
  const password = passwordOf(role)
  return password === null ? address : `${scheme}${user ?? ''}:${encodeURIComponent(password)}@${rest}`
}

function passwordOf(role: 'FROM' | 'TO'): string | null {
  const variable = `${role}_DATABASE_PASSWORD`
  const password = environmentVariable(variable)
  if (password !== undefined) return password
  const file = environmentVariable(`${variable}_FILE`)
  if (file === undefined) return null
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new CommandError(
      'password-file-unreadable',
      `The file of ${variable}_FILE cannot be read: ${(error as Error).message}.`,
      { cause: error },
    )
  }
}
