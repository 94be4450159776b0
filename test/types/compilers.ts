import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Compiler {
  /** `5.4.5` */
  readonly version: string
  /** Path of its `tsc`. */
  readonly tsc: string
}

/** The oldest TypeScript that is supported, the one this project is written with, and the newest. */
export const compilers: readonly Compiler[] = ['typescript54', 'typescript', 'typescript7'].map((name) => {
  const folder = join(root, 'node_modules', name)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { version, tsc: join(folder, 'bin/tsc') }
})

/** One complaint of a compiler. */
export interface Diagnostic {
  /** Relative to the project that was compiled; `''` for one about the whole of it. */
  readonly file: string
  readonly line: number
  /** `TS2322: …`, with its indented continuation lines. */
  readonly text: string
}

/** A folder outside this project in which the package is installed, as its declarations alone. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'as-rest-route-types-'))

  /** Installs the declarations as the build would emit them. Faults in unfinished sources do not matter here. */
  async install(): Promise<void> {
    const modules = join(this.folder, 'node_modules')
    const installed = join(modules, 'as-rest-route')
    mkdirSync(installed, { recursive: true })
    symlinkSync(join(root, 'node_modules/@types'), join(modules, '@types'))
    symlinkSync(join(root, 'node_modules/undici-types'), join(modules, 'undici-types'))
    symlinkSync(join(root, 'node_modules/zod'), join(modules, 'zod'))
    symlinkSync(join(root, 'node_modules/valibot'), join(modules, 'valibot'))
    cpSync(join(root, 'package.json'), join(installed, 'package.json'))
    const outDir = join(installed, 'dist')
    const build = join(root, 'tsconfig.build.json')
    const { tsc } = compilers[1] ?? { tsc: '' }
    await run(tsc, [
      '-p',
      build,
      '--emitDeclarationOnly',
      '--noCheck',
      '--sourceMap',
      'false',
      '--inlineSources',
      'false',
      '--outDir',
      outDir,
    ])
    this.write('package.json', '{ "type": "module", "private": true }')
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  /** Copies the sources of a folder, without their `@ts-expect-error`, so that the compiler says what it has to say. */
  copyRevealed(from: URL, to: string): void {
    for (const name of readdirSync(from).sort()) {
      if (!name.endsWith('.ts')) continue
      const text = readFileSync(new URL(name, from), 'utf8')
      this.write(join(to, name), text.replaceAll('// @ts-expect-error ', '// '))
    }
  }

  /** Compiles these files or folders strictly, and collects what the compiler says. */
  async compile(
    { tsc }: Compiler,
    include: readonly string[],
    options: Record<string, unknown> = {},
  ): Promise<Diagnostic[]> {
    const config = {
      compilerOptions: {
        target: 'es2022',
        lib: ['es2023'],
        module: 'nodenext',
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        noEmit: true,
        ...options,
      },
      include,
    }
    const name = `tsconfig.${include.join('-').replaceAll(/\W/g, '_')}.json`
    this.write(name, JSON.stringify(config))
    const output = await run(tsc, ['-p', join(this.folder, name), '--pretty', 'false'], this.folder)
    return diagnosticsIn(output.replaceAll(`${this.folder}/`, ''))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** What tsc prints; it fails when it has something to say. */
function run(tsc: string, args: readonly string[], cwd = root): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, ...args], { cwd, maxBuffer: 1 << 26 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}

function diagnosticsIn(output: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const line of output.split('\n')) {
    const start = /^(?:(.+?)\((\d+),\d+\): )?error (TS\d+: .*)$/.exec(line)
    const last = diagnostics.at(-1)
    if (start) diagnostics.push({ file: start[1] ?? '', line: Number(start[2] ?? 0), text: start[3] ?? '' })
    else if (last && line.startsWith(' '))
      diagnostics[diagnostics.length - 1] = { ...last, text: `${last.text}\n${line}` }
  }
  return diagnostics
}
