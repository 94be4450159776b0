import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @throws Error with one sentence for a folder or file that does not exist, and for a file that is not JSON. */
export function readJson(folder: string, name: string): unknown {
  const path = join(folder, name)
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`)
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`)
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`The file ${path} cannot be read: ${String(error)}`, { cause: error })
  }
}
