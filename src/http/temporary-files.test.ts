import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { incomingFolder, TemporaryFiles } from './temporary-files.js'

const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)

function emptyFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'temporary-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Until the end of a test. */
function useAsTemporaryFolder(folder: string, context: TestContext): void {
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = folder
  context.after(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  })
}

const fail = (error: unknown): void => assert.fail(String(error))

async function writeOne(folder: string | null): Promise<TemporaryFiles> {
  const files = new TemporaryFiles({ folder, onFault: fail })
  await files.create().write(Buffer.from('new'))
  return files
}

test('folders of processes that were killed are removed after a day, and nothing else', async (context) => {
  const parent = emptyFolder(context)
  useAsTemporaryFolder(parent, context)
  const ended = spawnSync(process.execPath, ['-e', '']).pid
  const add = (name: string, time: Date) => {
    mkdirSync(join(parent, name))
    writeFileSync(join(parent, name, 'file'), 'left')
    utimesSync(join(parent, name), time, time)
  }
  add(`as-rest-route-${ended}-aaaaaa`, yesterday)
  add(`as-rest-route-${ended}-bbbbbb`, new Date())
  add(`as-rest-route-${process.ppid}-cccccc`, yesterday)
  // Of a process before this one, as in a container that was started again.
  add(`as-rest-route-${process.pid}-eeeeee`, yesterday)
  add('as-rest-route-workshop', yesterday)
  add(`as-rest-route-${ended}-aaaaaa-own`, yesterday)
  symlinkSync(join(parent, 'as-rest-route-workshop'), join(parent, `as-rest-route-${ended}-dddddd`))
  const files = await writeOne(null)
  const left = readdirSync(parent).filter(
    (name) => name.endsWith('-eeeeee') || !name.startsWith(`as-rest-route-${process.pid}-`),
  )
  assert.deepEqual(
    left.toSorted(),
    [
      `as-rest-route-${ended}-aaaaaa-own`,
      `as-rest-route-${ended}-bbbbbb`,
      `as-rest-route-${ended}-dddddd`,
      `as-rest-route-${process.ppid}-cccccc`,
      'as-rest-route-workshop',
    ].toSorted(),
  )
  assert.equal(readdirSync(parent).length, left.length + 1)
  await files.close()
  assert.equal(readdirSync(parent).length, left.length)
})

test('files in the folder of uploads that are a day old are removed, if they have names of temporary files', async (context) => {
  const folder = emptyFolder(context)
  const incoming = join(folder, incomingFolder)
  mkdirSync(incoming)
  const names = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'notes.txt']
  for (const name of names) writeFileSync(join(incoming, name), 'left')
  for (const name of [names[0], names[2]] as string[]) utimesSync(join(incoming, name), yesterday, yesterday)
  const files = await writeOne(folder)
  await files.close()
  assert.deepEqual(readdirSync(incoming).toSorted(), names.slice(1))
})

for (const isOfUploads of [false, true])
  test(`a folder ${isOfUploads ? 'of uploads ' : ''}that something else has removed is made again`, async (context) => {
    const parent = emptyFolder(context)
    useAsTemporaryFolder(parent, context)
    const files = new TemporaryFiles({ folder: isOfUploads ? parent : null, onFault: fail })
    await files.create().write(Buffer.from('old'))
    for (const name of readdirSync(parent)) rmSync(join(parent, name), { recursive: true })
    const [first, second] = [files.create(), files.create()]
    await Promise.all([first.write(Buffer.from('one')), second.write(Buffer.from('two'))])
    assert.deepEqual(
      [first, second].map(({ path }) => readFileSync(path ?? '', 'utf8')),
      ['one', 'two'],
    )
    assert.equal(readdirSync(parent).length, 1)
    await files.close()
  })
