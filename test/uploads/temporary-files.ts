import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/until.js'

/** The files of these tests. */
export const folder = mkdtempSync(join(tmpdir(), 'uploads-test-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** The temporary files of the services. */
export const temporary = join(folder, 'temporary')

/** Runs a test with a folder for temporary files, and checks that none of them is left. */
export async function withTemporaryFolder(work: () => Promise<void>): Promise<void> {
  const previous = process.env['TMPDIR']
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary)
  process.env['TMPDIR'] = temporary
  try {
    await work()
  } finally {
    if (previous === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = previous
  }
}

/** The names of the temporary files. */
export async function temporaryFiles(): Promise<string[]> {
  const entries = await readdir(temporary, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

export const noTemporaryFiles = (): Promise<void> =>
  eventually(async () => assert.deepEqual(await temporaryFiles(), []))
