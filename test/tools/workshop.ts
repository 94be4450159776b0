import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url))

/** Why the tools are not tried; `false` when they are. */
export const skip =
  process.env['TEST_TOOLS'] === '1'
    ? false
    : process.env['TEST_NODE'] !== undefined
      ? 'the tools are tried once, not on every Node: TEST_TOOLS=1 npm test'
      : process.env['CI'] === undefined && 'compilers and bundlers are downloaded for this: TEST_TOOLS=1 npm test'

export interface Finished {
  readonly code: number | null
  /** What it wrote, standard output and errors together. */
  readonly output: string
}

/** A server that runs as a process of its own. */
export interface Running {
  /** `http://127.0.0.1:40000` */
  readonly url: string
  /** What it wrote so far. */
  output(): string
  /** Asks it to stop, and tells how it ended. */
  stop(): Promise<Finished>
}

/** A folder outside this project, in which other people's tools work on the package as npm would deliver it. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'as-rest-route-tools-'))

  /** Builds the package apart from `dist`, which others may be using. @returns the tarball's path. */
  async pack(): Promise<string> {
    const folder = join(this.folder, 'package')
    for (const name of ['package.json', 'README.md', 'LICENSE']) this.copy(join(root, name), join('package', name))
    await succeed(process.execPath, [join(root, 'scripts/build.mjs'), join(folder, 'dist')])
    return this.#packed(folder)
  }

  /** @returns the path of the tarball of `create-as-rest-route`. */
  packStarter(): Promise<string> {
    return this.#packed(join(root, 'packages/create-as-rest-route'))
  }

  async #packed(folder: string): Promise<string> {
    const { output } = await succeed('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', this.folder], {
      cwd: folder,
      quiet: true,
    })
    const [packed] = Object.values(JSON.parse(output) as Record<string, { readonly filename: string }>)
    return join(this.folder, packed?.filename ?? '')
  }

  /** Installs packages in a folder of the workshop, as a project that uses them would. */
  async install(folder: string, manifest: object): Promise<void> {
    this.write(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...manifest }))
    const cwd = join(this.folder, folder)
    await succeed('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd, timeLimit: 600_000 })
  }

  /** Copies a fixture, under its own name unless another is args. */
  use(fixture: string, to = fixture): void {
    this.copy(join(fixtures, fixture), to)
  }

  copy(from: string, to: string): void {
    cpSync(from, join(this.folder, to), { recursive: true })
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  /** A program of an installed package, by the name npm gives it, or a path below the folder. */
  program(name: string): string {
    return join(this.folder, name.includes('/') ? name : join('node_modules/.bin', name))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds. Default 300,000. */
  readonly timeLimit?: number
  /** Standard output alone. */
  readonly quiet?: boolean
}

/** Runs a program to its end. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { child, finished } = started(program, args, options)
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeLimit ?? 300_000)
  const result = await finished
  clearTimeout(timer)
  return result
}

/** @throws Error with all it wrote, when it fails. */
export async function succeed(program: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const result = await run(program, args, options)
  if (result.code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${result.code}:\n${result.output}`)
  return result
}

/** Starts a server, and waits until it has told its address. @throws Error with all it wrote, when it ends instead. */
export async function serve(program: string, args: readonly string[], options: RunOptions = {}): Promise<Running> {
  const { child, finished, output } = started(program, args, options)
  let ended: Finished | null = null
  void finished.then((result) => (ended = result))
  const deadline = Date.now() + (options.timeLimit ?? 120_000)
  for (;;) {
    const url = /http:\/\/[\w.:]+:\d+(?=\/?[\s"])/.exec(output())?.[0]
    if (url !== undefined) return { url, output, stop: () => (stopGroup(child.pid), finished) }
    if (ended !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`${program} ${args.join(' ')} did not serve:\n${output()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** npm and tsx stand between: the whole group is told, as a terminal does. */
function stopGroup(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGTERM')
}

function started(program: string, args: readonly string[], { cwd, env, quiet = false }: RunOptions) {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`
  const child = spawn(program, args, {
    cwd: cwd ?? root,
    env: { ...inherited(), PATH: path, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const collect = (chunk: Buffer) => void (output += chunk.toString())
  child.stdout.on('data', collect)
  if (!quiet) child.stderr.on('data', collect)
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
  return { child, finished, output: () => output }
}

/** The environment of somebody who uses the package: without what this project's own test run sets. */
function inherited(): NodeJS.ProcessEnv {
  const own = /^(npm_|NODE_OPTIONS$|NODE_TEST|NODE_ENV$|DATABASE_URL$|PORT$|HOST$|INIT_CWD$|FORCE_COLOR$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)))
}
