import type { Service } from '../../src/index.js'
import { maxPasswords } from '../../src/auth/application-passwords.js'

/** Gives a user as many application passwords as one may have. */
export async function fillPasswords({ users, applicationPasswords }: Service, login: string): Promise<void> {
  const id = (await users.find(login))?.id ?? 0
  for (let count = (await applicationPasswords.list(id)).length; count < maxPasswords; count += 1)
    await applicationPasswords.create(id, { name: `number ${count}` })
}
