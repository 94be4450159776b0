import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { terminalOutput } from '../../src/cli/output.js'
import { runCommand } from '../../src/cli/run-command.js'
import { typescriptArguments } from '../support/typescript.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** The bundle that `scripts/test.mjs` has made of the sources: a command loads it in a fifth of the time. */
const bundle = process.env['TEST_PACKAGE']
export const shop = join(root, 'examples/shop')

/** The arguments of Node that run the command as the sources have it, in any folder. */
export const commandArguments =
  bundle === undefined
    ? [...typescriptArguments, join(root, 'src/cli/main.ts')]
    : [
        ...typescriptArguments.slice(0, -1),
        `${typescriptArguments.at(-1)}?package=${encodeURIComponent(bundle)}`,
        // Tells the command that this process loads TypeScript already.
        '--conditions=tsx',
        join(bundle, 'cli/main.js'),
      ]

/** The environment of the commands. It has no other variables of this machine, on which a test could depend. */
const cleanEnvironment = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TMPDIR: process.env['TMPDIR'],
} as const

/** Scripts of `package.json` run in the folder of the project. */
const projectOptions = { cwd: root, env: cleanEnvironment }
const conformanceArguments = [...typescriptArguments, join(root, 'conformance/run.ts')]

/** The result of a command. */
export interface Finished {
  /** The exit code; null when a signal ended the process. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The working folder and additional environment variables of a command. */
export interface CommandOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command in this process, as if standard output were a pipe. That is faster than a new process. */
export async function runHere(words: readonly string[]): Promise<Finished> {
  let stdout = ''
  let stderr = ''
  const output = terminalOutput({ write: (text) => (stdout += text) }, { write: (text) => (stderr += text) })
  return { code: await runCommand(words, output), stdout, stderr }
}

/** Runs `as-rest-route` to its end. */
export function run(words: readonly string[], { cwd, env = {} }: CommandOptions): Promise<Finished> {
  return finished(
    started(process.execPath, [...commandArguments, ...words], { cwd, env: { ...cleanEnvironment, ...env } }),
  )
}

/** Runs `npm run conformance` to its end, without npm. */
export function runConformance(words: readonly string[]): Promise<Finished> {
  return finished(started(process.execPath, [...conformanceArguments, ...words], projectOptions))
}

/** Starts `npm run conformance`, without npm, and does not wait for it. */
export function startConformance(words: readonly string[]): Running {
  return running(process.execPath, [...conformanceArguments, ...words], projectOptions)
}

/** Starts `npm run conformance` by npm, and does not wait for it. */
export function startConformanceByNpm(words: readonly string[]): Running {
  return running('npm', ['run', '--silent', 'conformance', '--', ...words], projectOptions)
}

/** Runs a line of bash to its end. */
export function runInShell(line: string, cwd: string): Promise<Finished> {
  return finished(started('bash', ['-c', line], { cwd, env: cleanEnvironment }))
}

/** A running command. */
export interface Running {
  readonly pid: number
  /** Everything printed so far. */
  output(): string
  /** Waits until the output matches. @throws Error with the whole output when the command ends before. */
  waitForOutput(expected: RegExp): Promise<RegExpExecArray>
  /** Waits until the command ends without a signal. @returns the exit code. */
  ended(): Promise<number | null>
  /** Sends a signal and waits for the end. @returns the exit code; null when the signal ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** A running `as-rest-route serve`, whose service accepts requests. */
export interface Serving extends Running {
  /** The URL that the command has printed. */
  readonly url: string
}

/** In a terminal or of a service in development; else a line of JSON. */
const urlLine =
  /^(?:\d+ routes? at (?:\x1b\[\d+m)*(http:\/\/[^\s\x1b]+?)\/(?:\x1b\[\d+m)*\r?|\{.*"url":"(http:\/\/[^"]+)\/".*\})$/m

/** Starts `serve` and waits for the URL. @throws Error with the whole output when the command ends before. */
export function serve(words: readonly string[], options: CommandOptions): Promise<Serving> {
  return serving(startServe(words, options))
}

/** Starts `serve` and does not wait for it. */
export function startServe(words: readonly string[], { cwd, env = {} }: CommandOptions): Running {
  return running(process.execPath, [...commandArguments, 'serve', ...words], {
    cwd,
    env: { ...cleanEnvironment, ...env },
  })
}

/** As {@link serve}, in a pseudo-terminal of the program `script` of util-linux. */
export function serveInTerminal(words: readonly string[], { cwd, env = {} }: CommandOptions): Promise<Serving> {
  const line = [process.execPath, ...commandArguments, 'serve', ...words].map((word) => `'${word}'`).join(' ')
  return serving(
    running('script', ['-qec', `exec ${line}`, '/dev/null'], {
      cwd,
      env: { ...cleanEnvironment, TERM: 'xterm', ...env },
    }),
  )
}

async function serving(command: Running): Promise<Serving> {
  const [, printed, logged = ''] = await command.waitForOutput(urlLine)
  return { ...command, url: printed ?? logged }
}

function running(program: string, words: readonly string[], options: SpawnOptions): Running {
  const child = started(program, words, options)
  let text = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      child.emit('printed')
    })
  return {
    pid: child.pid ?? 0,
    output: () => text,
    waitForOutput: (expected) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = expected.exec(text)
          if (match) resolve(match)
        }
        check()
        child.on('printed', check)
        void ended.then((code) =>
          reject(new Error(`the command ended with ${code} before it printed ${expected}:\n${text}`)),
        )
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

function started(program: string, words: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Ends the commands that a failed test has left running. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

const folders: string[] = []

/** A new empty folder, which `removeFolders` removes. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-cli-'))
  folders.push(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
