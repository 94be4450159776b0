import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { terminalOutput } from '../../src/cli/output.js'
import { runCommand } from '../../src/cli/run-command.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const main = join(root, 'src/cli/main.ts')
export const shop = join(root, 'examples/shop')

/** What starts the command from its sources, in any folder. */
const nodeArguments = ['--import', import.meta.resolve('tsx'), main]

/** Nothing of the machine's own settings, so that every test says what it depends on. */
const cleanEnvironment = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TMPDIR: process.env['TMPDIR'],
  TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
} as const

/** Scripts of `package.json` run in the folder of the project. */
const ofProject = { cwd: root, env: cleanEnvironment }
const conformanceArguments = ['--import', import.meta.resolve('tsx'), join(root, 'conformance/run.ts')]

export interface Finished {
  /** `null` when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command in this process, as if standard output were a pipe: much faster than a process of its own. */
export async function runHere(given: readonly string[]): Promise<Finished> {
  let stdout = ''
  let stderr = ''
  const output = terminalOutput({ write: (text) => (stdout += text) }, { write: (text) => (stderr += text) })
  return { code: await runCommand(given, output), stdout, stderr }
}

/** Runs `as-rest-route` to its end. */
export function run(given: readonly string[], { cwd, env = {} }: Surroundings): Promise<Finished> {
  return finished(
    started(process.execPath, [...nodeArguments, ...given], { cwd, env: { ...cleanEnvironment, ...env } }),
  )
}

/** Runs `npm run conformance` to its end, without npm. */
export function runConformance(given: readonly string[]): Promise<Finished> {
  return finished(started(process.execPath, [...conformanceArguments, ...given], ofProject))
}

/** Starts `npm run conformance`, without npm, and waits for nothing. */
export function startConformance(given: readonly string[]): Running {
  return running(process.execPath, [...conformanceArguments, ...given], ofProject)
}

/** Starts `npm run conformance` as it is typed, and waits for nothing. */
export function startConformanceByNpm(given: readonly string[]): Running {
  return running('npm', ['run', '--silent', 'conformance', '--', ...given], ofProject)
}

/** Runs a line of bash to its end. */
export function runInShell(line: string, cwd: string): Promise<Finished> {
  return finished(started('bash', ['-c', line], { cwd, env: cleanEnvironment }))
}

/** A command, running. */
export interface Running {
  readonly pid: number
  /** Everything printed so far. */
  output(): string
  /** Waits until it has printed this. @throws Error with everything printed when it ends before that. */
  says(expected: RegExp): Promise<RegExpExecArray>
  /** Waits until it ends by itself. @returns its exit code. */
  ended(): Promise<number | null>
  /** @returns its exit code; `null` when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** `as-rest-route serve`, serving. */
export interface Serving extends Running {
  /** Address of the URL line. */
  readonly url: string
}

const urlLine = /^\d+ routes? at (?:\x1b\[\d+m)*(http:\/\/[^\s\x1b]+?)\/(?:\x1b\[\d+m)*\r?$/m

/** Starts `serve` and waits for the URL line. @throws Error with everything printed when it ends before that. */
export function serve(given: readonly string[], surroundings: Surroundings): Promise<Serving> {
  return serving(starting(given, surroundings))
}

/** Starts `serve` and waits for nothing. */
export function starting(given: readonly string[], { cwd, env = {} }: Surroundings): Running {
  return running(process.execPath, [...nodeArguments, 'serve', ...given], { cwd, env: { ...cleanEnvironment, ...env } })
}

/** The same in a pseudo-terminal, by the program `script` of util-linux. */
export function serveInTerminal(given: readonly string[], { cwd, env = {} }: Surroundings): Promise<Serving> {
  const line = [process.execPath, ...nodeArguments, 'serve', ...given].map((word) => `'${word}'`).join(' ')
  return serving(
    running('script', ['-qec', `exec ${line}`, '/dev/null'], {
      cwd,
      env: { ...cleanEnvironment, TERM: 'xterm', ...env },
    }),
  )
}

async function serving(command: Running): Promise<Serving> {
  const [, url = ''] = await command.says(urlLine)
  return { ...command, url }
}

function running(program: string, given: readonly string[], options: SpawnOptions): Running {
  const child = started(program, given, options)
  let text = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      child.emit('said')
    })
  return {
    pid: child.pid ?? 0,
    output: () => text,
    says: (expected) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = expected.exec(text)
          if (found) resolve(found)
        }
        look()
        child.on('said', look)
        void ended.then((code) => reject(new Error(`it ended with ${code} before it said ${expected}:\n${text}`)))
      }),
    ended: () => ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, stdout, stderr }
}

const children = new Set<ChildProcess>()

function started(program: string, given: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, given, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Ends what a failed test left running. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

const folders: string[] = []

/** A new empty folder; `removeFolders` takes it away. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-cli-'))
  folders.push(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
