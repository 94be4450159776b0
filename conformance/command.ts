import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { emptyDatabases, type EmptyDatabases } from './empty-databases.js'
import { readCaseFiles } from './http/cases.js'
import { readFixtures } from './http/fixtures.js'
import { replayFile, type StartSite } from './http/replay.js'
import { siteStarter } from './http/site.js'
import { recordingsIn, type Recording } from './recordings.js'
import { readExceptions, report, type FileResult } from './report.js'
import { replayVectors } from './replay/replay-vectors.js'
import { serve } from './serve.js'
import { readVectors, vectorNames } from './vectors.js'

const here = fileURLToPath(new URL('./', import.meta.url))
const shipped = join(here, 'recorded')

const help = `Replays recorded responses of a real WordPress against this service, or serves what they are replayed against.

  npm run conformance -- [folder ...] [--json FILE] [--boot OPTION=VALUE ...] [--database URL] [--diff]
  npm run conformance -- --serve PORT --fixtures FOLDER [--boot OPTION=VALUE ...] [--database URL]

Without folders: everything the project ships. A folder holds HTTP case files, files of function vectors, or folders of
them; the formats are described in conformance/recorded/*/README.md. HTTP cases without fixtures.json and
echo-routes.json beside them are replayed on those that the project ships.

  --json FILE      writes the raw response to every case, by file and id: status, headers and body of an HTTP case
  --boot OPTION=VALUE  sets a boot option; may be given several times. VALUE is JSON when it parses, else text:
                   --boot rest_default_capability=manage_options, --boot cache_bytes=0, --boot http=node
  --diff           prints what differs in quirks and exceptions too
  --database URL   a database to run on. Default sqlite::memory:. An SQLite file must be empty, and is emptied again. On a
                   server each site gets a schema (PostgreSQL) or database (MariaDB) of its own, which is dropped after it.
                   'postgres' and 'mariadb' are a server that is found as the tests find it: see CONTRIBUTING.md. 'galera' is
                   a cluster of three nodes, which is started; each site writes at the next node

With --serve: answers on 127.0.0.1:PORT as the reference application with the fixtures and echo routes of a folder, until
SIGTERM or SIGINT. Any request to PORT+1 starts the application anew on the fixtures, and is answered when that is done.
The line "ready" on standard output says that both ports answer.

  --fixtures FOLDER      the folder of fixtures.json and echo-routes.json; conformance/recorded/http has the project's own

Exits 0 when every case passes, is a quirk, or stands with its reason in conformance/exceptions.json; 1 when one does
not; 2 when the run is not possible. With --serve: 0 after SIGTERM or SIGINT, 2 when it cannot serve.
`

/**
 * The command `npm run conformance`.
 * @param words of the command line.
 * @param write prints a line.
 * @returns the exit code. @throws Error with why the run is not possible.
 */
export async function runCommand(words: readonly string[], write: (line: string) => void): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      database: { type: 'string', default: 'sqlite::memory:' },
      diff: { type: 'boolean', default: false },
      serve: { type: 'string' },
      fixtures: { type: 'string' },
      boot: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    write(help)
    return 0
  }
  const databases = emptyDatabases(values.database)
  if (values.serve !== undefined) {
    if (positionals.length > 0 || values.json !== undefined || values.diff)
      throw new Error('--serve replays nothing: it takes no folder besides --fixtures, no --json and no --diff.')
    await serve({ ...values, port: values.serve, databases, onReady: () => write('ready') })
    return 0
  }
  if (values.fixtures !== undefined) throw new Error('--fixtures belongs to --serve PORT.')
  const folders = positionals.length > 0 ? positionals.map((folder) => resolve(folder)) : [shipped]
  const results: FileResult[] = []
  for (const recording of folders.flatMap(recordingsOf))
    results.push(...(await replayRecording(recording, databases, values.boot)))
  if (values.json !== undefined) writeResults(values.json, results)
  return report(results, readExceptions(here), { diff: values.diff, write }) ? 0 : 1
}

/** @throws Error for a folder that has none. */
function recordingsOf(folder: string): Recording[] {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`)
  const recordings = recordingsIn(folder)
  if (recordings.length === 0) throw new Error(`There are no recordings in ${folder}.`)
  return recordings
}

async function replayRecording(
  { kind, folder }: Recording,
  databases: EmptyDatabases,
  boot: readonly string[] = [],
): Promise<FileResult[]> {
  const results: FileResult[] = []
  if (kind === 'vectors') {
    for (const name of vectorNames(folder))
      results.push({ name: `vectors/${name}`, cases: await replayVectors(readVectors(name, folder), databases) })
    return results
  }
  const siteFolder = existsSync(join(folder, 'fixtures.json')) ? folder : join(shipped, 'http')
  const fixtures = readFixtures(siteFolder)
  const starter = siteStarter(siteFolder, databases)
  const start: StartSite = (settings) => starter([...boot, ...settings])
  for (const file of readCaseFiles(folder))
    results.push({ name: `http/${file.name}`, cases: await replayFile(file, fixtures, start) })
  return results
}

function writeResults(path: string, results: readonly FileResult[]): void {
  mkdirSync(dirname(resolve(path)), { recursive: true })
  const actuals: Record<string, Record<string, unknown>> = {}
  // Files of two folders may have the same name.
  for (const { name, cases } of results)
    Object.assign((actuals[name] ??= {}), Object.fromEntries(cases.map(({ id, actual }) => [id, actual])))
  writeFileSync(path, JSON.stringify(actuals, null, 1))
}
