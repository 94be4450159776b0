import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../base/thrown-text.js'
import { fault, type Fault } from '../base/fault.js'
import { legacyDecoratorsCode } from '../routing/as-rest-route.js'
import { nestedBootCode } from './nested-boot-error.js'
import type { Diagnostic } from './startup-error.js'

/** The fault of a module that could not be imported. */
export function loadFault(file: string, error: unknown): Diagnostic {
  const decorated = isSyntaxOfDecorators(error) ? decoratorLine(file) : null
  const { code, message } = decorated === null ? reasonOf(file, error) : decoratorsNotCompiled
  return {
    code,
    location: { file, line: decorated ?? lineOf(file, error) },
    subject: 'module',
    message: `it cannot be loaded: ${message}`,
  }
}

const decoratorsNotCompiled = fault(
  'decorators-not-compiled',
  'JavaScript has no decorators yet. Compile it, with tsc or esbuild, or name it .ts and install tsx.',
)

/**
 * The codes of errors that this package throws while a module is loaded. Another copy of it may have thrown the error, so that
 * its class cannot be compared.
 */
const ownCodes = [legacyDecoratorsCode, nestedBootCode] as const

/** The code of the fault, and the message of the error in one line. */
export function reasonOf(file: string, error: unknown): Fault {
  if (isOfCommonJs(error) && !isModule(file))
    return fault('module-commonjs', 'it is taken for CommonJS. Set "type": "module" in its package.json.')
  return fault(
    ownCodes.find((code) => error instanceof Error && 'code' in error && error.code === code) ?? 'module-failed',
    messageOf(error)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' '),
  )
}

/** The line of this file that the error tells of, in its stack or, as compilers do, in its message. */
function lineOf(file: string, error: unknown): number {
  const errorText = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : ''
  const paths = [file, pathToFileURL(file).href].flatMap((path) => errorText.split(path).slice(1))
  const lines = paths.flatMap((rest) => /^(?:\?[^:\s]*)?:(\d+)/.exec(rest)?.[1] ?? [])
  return Number(lines[0] ?? 1)
}

/** Whether a module of ECMAScript was loaded as CommonJS. Node's message names neither CommonJS nor the remedy. */
function isOfCommonJs(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return (
    code === 'ERR_REQUIRE_CYCLE_MODULE' ||
    code === 'ERR_REQUIRE_ESM' ||
    /Cannot require\(\) ES Module|outside a module|Unexpected token 'export'/.test(String(message))
  )
}

/** Whether Node loads a file as a module of ECMAScript, by its extension or by the `type` of its package. */
function isModule(file: string): boolean {
  if (/\.m[jt]s$/.test(file)) return true
  for (let at = dirname(file); ; at = dirname(at)) {
    const path = join(at, 'package.json')
    if (existsSync(path)) return /"type"\s*:\s*"module"/.test(readFileSync(path, 'utf8'))
    if (dirname(at) === at) return false
  }
}

function isSyntaxOfDecorators(error: unknown): boolean {
  return error instanceof SyntaxError && error.message === 'Invalid or unexpected token'
}

/** The line of the first decorator of a file that was not compiled; null without one. Node's `SyntaxError` of a module has no line. */
function decoratorLine(file: string): number | null {
  if (!file.endsWith('js')) return null
  const index = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => /^\s*@[A-Za-z_$]/.test(line))
  return index < 0 ? null : index + 1
}
