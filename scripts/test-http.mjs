// Sends the same bytes to both ways from the socket. Then runs the tests of requests over sockets, and the whole conformance run,
// with all requests read by node:http. Tests of databases, transactions, jobs and starts also send requests, and prove nothing of a
// way from the socket. With options, such as `--seed`, it runs only the first part.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const env = { ...process.env, AS_REST_ROUTE_HTTP: 'node' }
const folders = [
  'socket',
  'endpoints',
  'pages',
  'clients',
  'around',
  'explain',
  'limits',
  'openapi',
  'requests',
  'typed-records',
  'uploads',
  'stores/application',
  'stores/live-feed',
].map((name) => `test/${name}`)
// The memory of caches is the same on both ways, and takes a minute to fill.
const ofCaches = readdirSync(new URL('../test/cache/', import.meta.url))
  .filter((name) => name.endsWith('.test.ts') && name !== 'memory.test.ts')
  .map((name) => `test/cache/${name}`)
const options = process.argv.slice(2)
const suite = ['--import', './scripts/typescript/register.mjs', 'suites/http/run.ts', ...options]
const tests = [
  ['scripts/test.mjs', ...folders, ...ofCaches],
  ['--import', './scripts/typescript/register.mjs', 'conformance/run.ts'],
]
for (const command of options.length > 0 ? [suite] : [suite, ...tests]) {
  const { status } = spawnSync(process.env.TEST_NODE ?? process.execPath, command, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
