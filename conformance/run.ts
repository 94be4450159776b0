// npm run conformance -- [folder ...] [--json FILE] [--database URL]
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readCaseFiles } from './http/cases.js'
import { readFixtures } from './http/fixtures.js'
import { replayFile } from './http/replay.js'
import { siteStarter } from './http/site.js'
import { readExceptions, report, type FileResult } from './report.js'
import { replayVectors } from './replay/replay-vectors.js'
import { readVectors, vectorNames } from './vectors.js'

const here = fileURLToPath(new URL('./', import.meta.url))
const shipped = [join(here, 'recorded/http'), join(here, 'recorded/vectors')]

const help = `Replays recorded answers of a real WordPress against this service.

  npm run conformance -- [folder ...] [--json FILE] [--database URL] [--diff]

Without folders: everything the project ships. A folder holds HTTP case files with fixtures.json and echo-routes.json
beside them, or files of function vectors; the formats are described in conformance/recorded/*/README.md.

  --json FILE      writes the raw answer to every case, by id
  --database URL   an empty database to run on; default sqlite::memory:
  --diff           prints what differs, not only the ids

Exits 0 when every case passes, is a quirk, or stands with its reason in conformance/exceptions.json.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    database: { type: 'string', default: 'sqlite::memory:' },
    diff: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) process.stdout.write(help)
else process.exitCode = await run(positionals.length > 0 ? positionals.map((folder) => resolve(folder)) : shipped)

async function run(folders: readonly string[]): Promise<number> {
  const missing = folders.find((folder) => !existsSync(folder))
  if (missing !== undefined) {
    process.stderr.write(`There is no folder ${missing}.\n`)
    return 2
  }
  const results: FileResult[] = []
  for (const folder of folders) results.push(...(await replayFolder(folder)))
  if (values.json !== undefined) writeAnswers(values.json, results)
  return report(results, readExceptions(here), {
    diff: values.diff,
    write: (line) => process.stdout.write(`${line}\n`),
  })
    ? 0
    : 1
}

async function replayFolder(folder: string): Promise<FileResult[]> {
  const results: FileResult[] = []
  if (existsSync(join(folder, 'fixtures.json'))) {
    const fixtures = readFixtures(folder)
    const start = siteStarter(folder, fixtures, values.database)
    for (const file of readCaseFiles(folder))
      results.push({ name: `http/${file.name}`, cases: await replayFile(file, fixtures, start) })
    return results
  }
  for (const name of vectorNames(folder))
    results.push({ name: `vectors/${name}`, cases: await replayVectors(readVectors(name, folder)) })
  return results
}

function writeAnswers(path: string, results: readonly FileResult[]): void {
  mkdirSync(dirname(resolve(path)), { recursive: true })
  const answers = Object.fromEntries(
    results.map(({ name, cases }) => [name, Object.fromEntries(cases.map(({ id, answer }) => [id, answer]))]),
  )
  writeFileSync(path, JSON.stringify(answers, null, 1))
}
