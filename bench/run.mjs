// `npm run bench`: builds the product, installs the peers beside it, and runs the benchmark on a core of its own.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const peers = fileURLToPath(new URL('./peers/', import.meta.url))
const given = process.argv.slice(2)

function run(command, args, folder = root) {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' })
  if (error) process.stderr.write(`${command} cannot be run: ${error.message}\n`)
  if (status !== 0) process.exit(status ?? 1)
}

if (process.platform !== 'linux') {
  process.stderr.write(
    'The benchmark needs Linux: it reads the CPU time of the servers from /proc and pins them with taskset.\n',
  )
  process.exit(2)
}
if (!given.includes('--no-build') && !given.includes('--help')) run('npm', ['run', 'build', '--silent'])
if (!existsSync(`${peers}node_modules/fastify`)) run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], peers)
run('taskset', ['-c', '1', process.execPath, '--import', 'tsx', 'bench/main.ts', ...given])
