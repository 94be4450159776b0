import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder, removeFolders, runConformance } from '../test/cli/command-line.js'
import { readCaseFiles } from './http/cases.js'

after(removeFolders)

const [partials] = readCaseFiles(fileURLToPath(new URL('./recorded/http', import.meta.url))).filter(
  ({ name }) => name === 'partials',
)

test('--json writes the raw response to every case by file and id, also of files with one name in two folders', async () => {
  assert.ok(partials)
  const { cases } = partials
  const folder = emptyFolder()
  const folders = [cases.slice(0, 5), cases.slice(5)].map((some, index) => {
    const path = join(folder, String(index))
    mkdirSync(path)
    writeFileSync(join(path, 'partials.json'), JSON.stringify({ ...partials, cases: some }))
    return path
  })
  const path = join(folder, 'made', 'responses.json')
  const { code, stdout } = await runConformance([...folders, '--json', path])
  assert.equal(code, 0, stdout)
  const files = JSON.parse(readFileSync(path, 'utf8')) as Record<
    string,
    Record<string, { status: number; headers: Record<string, string>; body: string }>
  >
  assert.deepEqual(Object.keys(files), ['http/partials'])
  const responses = files['http/partials'] ?? {}
  assert.deepEqual(
    cases.map(({ id }) => [
      id,
      responses[id]?.status,
      typeof responses[id]?.headers['content-type'],
      typeof responses[id]?.body,
    ]),
    cases.map(({ id, expect }) => [id, expect.status, 'string', 'string']),
  )
})

test('--help names every option', async () => {
  const { code, stdout } = await runConformance(['--help'])
  assert.equal(code, 0)
  for (const option of [
    '--json FILE',
    '--database URL',
    '--diff',
    '--serve PORT',
    '--fixtures FOLDER',
    '--boot OPTION=VALUE',
  ])
    assert.ok(stdout.includes(option), option)
})
