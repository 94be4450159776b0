// Runs every *.test.ts with Node's own runner: `node scripts/test.mjs [path fragment ...]`.
// The list is made here because Node 20's runner knows no globs. `TEST_NODE` names another Node binary to run on.
// `--database postgres|mariadb|URL` keeps the data of the tests on a server; see CONTRIBUTING.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.mjs'
import { offerTestServers } from './test-servers.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const skipped = new Set(['node_modules', 'dist', 'fixtures', 'peers', 'template'])

function* testFiles(folder) {
  for (const name of readdirSync(folder).sort()) {
    if (skipped.has(name) || name.startsWith('.')) continue
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* testFiles(path)
    else if (name.endsWith('.test.ts')) yield path
  }
}

/** Tests of SQLite, and of commands that are given SQLite files. */
const onlyOnSqlite = [
  'conformance/',
  'src/database/sqlite/',
  'test/cache/own-connection',
  'test/cache/restores',
  'test/cli/',
  'test/errors/',
  'test/explain/',
  'test/socket/locked-database',
  'test/start/failed-seed',
  'test/tools/',
]

/** Tests of more than half a minute. */
const longFiles = [
  'conformance/serve',
  'test/tools/',
  'test/browser/',
  'test/jobs/',
  'test/wordpress/',
  'test/stores/',
  'test/moving/',
  'test/cli/',
  'test/cache/',
  'test/types/',
]

const { database, wanted } = commandLine()
removeOldOutput()
const matching = [...testFiles(root)]
  .map((path) => path.slice(root.length))
  .filter((path) => wanted.length === 0 || wanted.some((fragment) => path.includes(fragment)))
const files = matching.filter((path) => database === undefined || !onlyOnSqlite.some((part) => path.startsWith(part)))
if (files.length < matching.length)
  process.stdout.write(`skipped ${matching.length - files.length} files: about SQLite itself, or files of SQLite\n`)
if (files.length === 0) end(`No test file matches ${wanted.join(', ')}.`)
const servers = await offerTestServers()
const environment = {
  TEST_SERVERS: servers.address,
  ...process.env,
  ...(database && { TEST_DATABASE: database }),
  ...(files.some(usesCommand) && { TEST_PACKAGE: await bundled() }),
}
const run = spawn(
  process.env.TEST_NODE ?? process.execPath,
  ['--import', './scripts/typescript/register.mjs', 'scripts/run-tests.mjs', ...longestFirst(files)],
  { cwd: root, stdio: 'inherit', env: environment },
)
// Ctrl-C reaches the tests as well; this process ends after them, when the servers are gone.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => run.kill())
const [code] = await once(run, 'exit')
await servers.close()
process.exitCode = code ?? 1

/** Whether a test starts `as-rest-route`, by `test/cli/command-line.ts` or by what is built on that. */
function usesCommand(path) {
  return /\/(?:command-line|application-folder|seeded-application|worker-client)\.js'/.test(
    readFileSync(join(root, path), 'utf8'),
  )
}

/** Bundles the sources, so that the commands which tests start load few files. @returns the folder. */
async function bundled() {
  const folder = join(root, 'node_modules/.cache/tests', `package-${process.pid}`)
  await bundle(folder)
  const { name, version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const exports = { '.': './index.js', './testing': './testing.js', './vite': './vite.js', './*': './*' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, type, exports }))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Removes what earlier runs have compiled and written a week ago. Sources that are still used are compiled again. */
function removeOldOutput() {
  const weekAgo = Date.now() - 7 * 24 * 60 * 60 * 1000
  for (const folder of ['node_modules/.cache/typescript', 'node_modules/.cache/tests'].map((name) => join(root, name)))
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const path = join(folder, name)
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity }
      if (mtimeMs < weekAgo) rmSync(path, { recursive: true, force: true })
    }
}

/** At the end of a run no processor waits for a long file that began last. */
function longestFirst(paths) {
  const isLong = (path) => longFiles.some((part) => path.startsWith(part))
  return [...paths.filter(isLong), ...paths.filter((path) => !isLong(path))]
}

function commandLine() {
  const options = { database: { type: 'string' } }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const { database } = values
  if (database !== undefined && !/^(postgres|mariadb)$|^(postgres(ql)?|mysql|mariadb):\/\//.test(database))
    end(`--database takes postgres, mariadb or the address of a server, not '${database}'.`)
  return { database, wanted: positionals }
}

function end(fault) {
  process.stderr.write(`${fault}\n`)
  process.exit(2)
}
