import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'

/**
 * Writes a new file, for its owner only. It gets its name when it is complete.
 * @throws Error of Node; EEXIST for a name that is taken.
 */
export async function writeNewFile(
  path: string,
  work: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  // Checked before the work, which may take long, and again by `giveName`.
  if (existsSync(path)) throw Object.assign(new Error('it exists already'), { code: 'EEXIST', syscall: 'open' })
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await work(async (text) => void (await file.writeFile(text)))
      await file.sync()
    } finally {
      await file.close()
    }
    await giveName(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** A link fails where a file has the name already; a renamed file would replace it. */
async function giveName(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // Some file systems have no links. The empty file reserves the name.
    await (await open(path, 'wx', 0o600)).close()
    await rename(temporary, path)
  }
}
