import { asciiLowerCase } from '../php/ascii-case.js'
import type { ConfigScope } from './config-scope.js'
import { unknownValue, type Mode } from './config-values.js'
import type { Token } from './php-tokens.js'

/** The operators that assign. */
export const assignments: ReadonlySet<string> = new Set([
  '=',
  '.=',
  '??=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '**=',
  '|=',
  '&=',
  '^=',
  '<<=',
  '>>=',
])

/** The statements that include a file. */
export const includes: ReadonlySet<string> = new Set(['include', 'include_once', 'require', 'require_once'])

/** Code that is skipped, and the file and scope in which it stands. */
export interface SkippedCode {
  readonly tokens: readonly Token[]
  readonly file: string
  readonly scope: ConfigScope
  readonly mode: Mode
}

/** Notes the constants that skipped code may define. @param reason see `UnreadCode`. */
export function noteDefinitions({ tokens, file, scope, mode }: SkippedCode, reason: string): void {
  if (mode.kind === 'skip') return
  const calls = tokens.flatMap((token, index) => (isDefine(tokens, index) ? [{ line: token.line, index }] : []))
  const [first] = calls
  if (first === undefined) return
  const literals = calls.map(({ index }) => literalArgument(tokens, index))
  const mayDefineOthers = literals.includes(null)
  const names = mayDefineOthers ? constantNamesIn(tokens) : literals.filter((name) => name !== null)
  scope.noteDefinitions({ file, line: first.line, reason, names, mayDefineOthers })
}

/** Whether a text looks like the name of a constant. */
export const isConstantName = (text: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(text)

/** The texts in code that look like names of constants, each once. */
export function constantNamesIn(tokens: readonly Token[]): readonly string[] {
  const texts = tokens.filter(({ kind, text }) => kind === 'text' && isConstantName(text))
  return [...new Set(texts.map(({ text }) => text))]
}

/** Makes unknown the variables to which skipped code assigns a value. */
export function forgetAssigned(code: SkippedCode): void {
  // The variables of a function are local.
  if (code.tokens.some(({ kind, text }) => kind === 'name' && /^(?:function|fn)$/i.test(text))) return
  const assigned = code.tokens.filter(
    (_, index) => isMark(code.tokens[index + 1], assignments) && code.tokens[index]?.kind === 'variable',
  )
  forgetVariables({ ...code, tokens: assigned }, 'it is assigned where it is not read')
}

/** Makes unknown all variables that code names. */
export function forgetVariables({ tokens, file, scope, mode }: SkippedCode, reason: string): void {
  for (const { kind, text, line } of tokens) {
    if (kind !== 'variable') continue
    if (text === 'GLOBALS') scope.forgetAll(reason, { file, line }, mode)
    else scope.assign(text, unknownValue(reason), { file, line }, mode)
  }
}

/** Makes the variables that code takes by reference unknown, also after later assignments. */
export function forgetReferences({ tokens, file, scope, mode }: SkippedCode): void {
  for (const [index, { kind, text, line }] of tokens.entries())
    if (kind === 'variable' && isMark(tokens[index - 1], reference)) scope.markReferenced(text, { file, line }, mode)
}

const reference: ReadonlySet<string> = new Set(['&'])
const methods: ReadonlySet<string> = new Set(['->', '?->'])
const opening: ReadonlySet<string> = new Set(['('])
const comma: ReadonlySet<string> = new Set([','])

export function isMark(token: Token | undefined, marks: ReadonlySet<string>): boolean {
  return token?.kind === 'mark' && marks.has(token.text)
}

/** Whether the token is the name in a call of `define`, or of a static method of this name. */
function isDefine(tokens: readonly Token[], index: number): boolean {
  return asciiLowerCase(tokens[index]?.text.replace(/^\\/, '') ?? '') === 'define' && isCall(tokens, index)
}

/** Whether the token is the name in a call of a function or of a static method. */
export function isCall(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.kind !== 'name' || !isMark(tokens[index + 1], opening)) return false
  const before = tokens[index - 1]
  const isDeclared = before?.kind === 'name' && asciiLowerCase(before.text) === 'function'
  return !isDeclared && !isMark(before, methods)
}

/** The first argument of a call, when it is a text alone. */
function literalArgument(tokens: readonly Token[], index: number): string | null {
  const argument = tokens[index + 2]
  return argument?.kind === 'text' && isMark(tokens[index + 3], comma) ? argument.text : null
}
