import { asciiLowerCase } from '../php/ascii-case.js'
import type { CalledCode } from './config-scope.js'
import { knownValue, scalarText, unknownValue, type Evaluation } from './config-values.js'
import type { Token } from './php-tokens.js'
import {
  assignments,
  constantNamesIn,
  includes,
  isCall,
  isMark,
  noteDefinitions,
  type SkippedCode,
} from './skipped-code.js'

/** The functions of PHP that call functions whose names are among their arguments. */
const callers: ReadonlySet<string> = new Set([
  'call_user_func',
  'call_user_func_array',
  'forward_static_call',
  'forward_static_call_array',
  'array_map',
  'array_walk',
  'array_filter',
  'array_reduce',
  'usort',
  'iterator_apply',
  'preg_replace_callback',
])

/** Those whose first argument is the function. */
const namesCallback: ReadonlySet<string> = new Set(['call_user_func', 'call_user_func_array', 'array_map'])

const maxArguments = 1000

const opening: ReadonlySet<string> = new Set(['('])
const closing: ReadonlySet<string> = new Set([')', ']', '}'])
const opened: ReadonlySet<string> = new Set(['(', '[', '{', '#['])
const ofMember: ReadonlySet<string> = new Set(['->', '?->', '::'])
const ofClass: ReadonlySet<string> = new Set(['::'])
const behindArgument: ReadonlySet<string> = new Set([',', ')'])

/** The name under which the scope knows a function: in lower case, without its namespace. */
export const functionKey = (name: string): string => asciiLowerCase(name.slice(name.lastIndexOf('\\') + 1))

/** That of a class. Only code of its own file calls it: loaders of classes are called from other files. */
export const classKey = (name: string, file: string): string => `${file}::${functionKey(name)}`

/**
 * Notes what a closure would define, and what it does when it is called.
 * @returns its value, by which a call finds it.
 */
export function noteClosure(code: SkippedCode, word: string): Evaluation {
  noteDefinitions(code, 'defines constants in a function, which is not executed')
  const reason = `it uses ${word}`
  return code.mode.kind === 'skip'
    ? unknownValue(reason)
    : { isKnown: false, reason, called: code.scope.declareClosure(() => noteCall(code)) }
}

/** Notes a call of the function that a value names. @param code the arguments. */
export function noteCallOf(callee: Evaluation, code: SkippedCode): void {
  if (code.mode.kind === 'skip') return
  for (const name of namesOf(callee, code)) code.scope.callFunction(name)
}

/** Notes the calls in code that is executed and not read. Closures in it are not called, except by functions that call others. */
export function noteExecuted(code: SkippedCode): void {
  const { file, scope, mode } = code
  if (mode.kind === 'skip') return
  const tokens = withoutClosures(code.tokens)
  const include = tokens.find(isInclude)
  if (include !== undefined)
    scope.markUnread({ file, line: include.line }, 'includes a file in code that is not understood', mode)
  for (const callee of calleesIn({ ...code, tokens }, (name) => scope.variable(name))) scope.callFunction(callee)
}

/**
 * Notes what a function that is called, and not executed here, does outside of itself: includes files, calls functions whose names
 * cannot be read.
 * @returns the functions that it calls, and the global variables that it sets.
 */
export function noteCall(code: SkippedCode): CalledCode {
  const { tokens, file, scope, mode } = code
  const include = tokens.find(isInclude)
  if (include !== undefined)
    scope.markUnread({ file, line: include.line }, 'includes a file in a function, which is not executed', mode)
  const value = unknownValue('a function sets it, which is not executed')
  const sets: (() => void)[] = []
  const globals = new Set<string>()
  let isGlobal = false
  for (const [index, { kind, text, line }] of tokens.entries()) {
    isGlobal =
      (isGlobal || (kind === 'name' && asciiLowerCase(text) === 'global')) && !(kind === 'mark' && text === ';')
    if (kind !== 'variable') continue
    const place = { file, line }
    if (isGlobal) globals.add(text)
    else if (text === 'GLOBALS') {
      const key = tokens[index + 2]
      if (key?.kind !== 'text') sets.push(() => scope.forgetAll(value.reason, place, mode))
      else if (isMark(tokens[index + 4], assignments)) sets.push(() => scope.assign(key.text, value, place, mode))
    } else if (globals.has(text) && isMark(tokens[index + 1], assignments))
      sets.push(() => scope.assign(text, value, place, mode))
  }
  return { calls: calleesIn(code, () => unknownValue('it is a variable of a function')), sets }
}

/** The functions and classes that code calls, by their names for the scope. */
function calleesIn(code: SkippedCode, valueOf: (variable: string) => Evaluation): readonly string[] {
  const { tokens, file } = code
  const names: string[] = []
  for (const [index, { kind, text }] of tokens.entries()) {
    const before = tokens[index - 1]
    const isNew = before?.kind === 'name' && asciiLowerCase(before.text) === 'new'
    if (kind === 'variable') {
      const isCalled = isMark(tokens[index + 1], opening) && !isMark(before, ofMember)
      const isFirst = isMark(before, opening) && isMark(tokens[index + 1], behindArgument)
      if (isCalled || (isFirst && namesCallback.has(callerIn(tokens[index - 2]))))
        names.push(
          ...namesOf(valueOf(text), { ...code, tokens: argumentsAt(tokens, isCalled ? index + 1 : index - 1) }),
        )
    } else if (kind === 'name' && isNew) names.push(classKey(text, file))
    else if (isCall(tokens, index)) {
      const owner = tokens[index - 2]
      const isOfClass = isMark(before, ofClass) && owner?.kind === 'name'
      names.push(isOfClass ? classKey(owner.text, file) : functionKey(text))
      if (callerIn(tokens[index]) === '') continue
      const parts = { ...code, tokens: argumentsAt(tokens, index + 1) }
      for (const part of parts.tokens) if (part.kind === 'text') names.push(...namesOf(knownValue(part.text), parts))
    }
  }
  return names
}

/** The functions that a call of a value may call, by their names for the scope. @param code the arguments. */
function namesOf(callee: Evaluation, { tokens, file, scope, mode }: SkippedCode): readonly string[] {
  const place = { file, line: tokens[0]?.line ?? 1 }
  if (!callee.isKnown) {
    if (callee.called !== undefined) return [callee.called]
    scope.markUnread(place, 'calls a function whose name cannot be read', mode)
    return []
  }
  const name = scalarText(callee.value)
  if (functionKey(name) === 'define' && mode.kind !== 'skip') {
    const names = constantNamesIn(tokens)
    const reason = 'calls define by its name, which is not executed'
    scope.noteDefinitions({ ...place, reason, names, isAny: names.length === 0 })
  }
  return [functionKey(name), classKey(name.split('::', 1)[0] ?? '', file)]
}

function isInclude({ kind, text }: Token): boolean {
  return kind === 'name' && includes.has(asciiLowerCase(text))
}

/** The name of the function among {@link callers} that a token is; else ''. */
function callerIn(token: Token | undefined): string {
  const name = token?.kind === 'name' ? functionKey(token.text) : ''
  return callers.has(name) ? name : ''
}

/** The tokens from a bracket to its counterpart, at most some: calls may be the arguments of calls without end. */
function argumentsAt(tokens: readonly Token[], start: number): readonly Token[] {
  let depth = 0
  const end = Math.min(tokens.length, start + maxArguments)
  for (let index = start; index < end; index += 1) {
    if (isMark(tokens[index], opened)) depth += 1
    else if (isMark(tokens[index], closing)) depth -= 1
    if (depth <= 0) return tokens.slice(start, index + 1)
  }
  return tokens.slice(start, end)
}

/** The code without its closures, where no function among {@link callers} gets them. */
function withoutClosures(tokens: readonly Token[]): readonly Token[] {
  if (tokens.some((token) => callerIn(token) !== '')) return tokens
  const kept: Token[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token
    const word = token.kind === 'name' ? asciiLowerCase(token.text) : ''
    if (word === 'function' || word === 'fn') index = endOfClosure(tokens, index, word === 'fn')
    else kept.push(token)
  }
  return kept
}

/** The index of the last token of a closure: that of its closing brace, or the one before the end of the expression of a `fn`. */
function endOfClosure(tokens: readonly Token[], start: number, isShort: boolean): number {
  let depth = 0
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (isMark(token, opened)) depth += 1
    else if (isMark(token, closing)) depth -= 1
    if (isShort ? depth < 0 || (depth === 0 && token?.text === ',') : depth < 0) return index - 1
    if (!isShort && depth === 0 && token?.text === '}') return index
  }
  return tokens.length - 1
}
