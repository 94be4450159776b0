// `npm run bench`: builds the product, installs the peers beside it, and runs the benchmark on a core of its own.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const peers = fileURLToPath(new URL('./peers/', import.meta.url))
const options = process.argv.slice(2)

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

/** Those that this process may use, as `0-3,8`. */
const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
const cores = allowed.split(/[,-]/)
const [serverCore, loadCore] = [cores[0], cores.at(-1)]
if (serverCore === loadCore) {
  process.stderr.write('There is one core only: servers and load share it, and the figures say little.\n')
}
process.env.BENCH_SERVER_CORE = serverCore
process.env.BENCH_CORES = allowed
const measures = !options.some((option) => option === '--help' || option.startsWith('--from'))
if (measures && !options.includes('--no-build')) run('npm', ['run', 'build', '--silent'])
if (measures && !existsSync(`${peers}node_modules/fastify`))
  run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], peers)
// Threads that collect garbage would share the core of the load, which then stops for milliseconds.
const node = [process.execPath, '--single-threaded-gc', '--import', './scripts/typescript/register.mjs']
run('taskset', ['-c', loadCore, ...node, 'bench/main.ts', ...options])
