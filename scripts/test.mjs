// Runs every *.test.ts with Node's own runner: `node scripts/test.mjs [path fragment ...]`.
// The list is made here because Node 20's runner knows no globs. `TEST_NODE` names another Node binary to run on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

const wanted = process.argv.slice(2)
const files = [...testFiles(root)]
  .map((path) => path.slice(root.length))
  .filter((path) => wanted.length === 0 || wanted.some((fragment) => path.includes(fragment)))
if (files.length === 0) {
  process.stderr.write(`No test file matches ${wanted.join(', ')}.\n`)
  process.exit(2)
}
const servers = await offerTestServers()
const run = spawn(
  process.env.TEST_NODE ?? process.execPath,
  [
    '--enable-source-maps',
    '--import',
    'tsx',
    '--test',
    // Node would leave one core idle.
    `--test-concurrency=${availableParallelism()}`,
    '--test-reporter',
    './scripts/reporter.mjs',
    '--test-reporter-destination',
    'stdout',
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env: { TEST_SERVERS: servers.address, ...process.env } },
)
// Ctrl-C reaches the tests as well; this process ends after them, when the servers are gone.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => run.kill())
const [code] = await once(run, 'exit')
await servers.close()
process.exitCode = code ?? 1
