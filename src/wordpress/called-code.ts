import { asciiLowerCase } from '../php/ascii-case.js'
import type { CalledCode } from './config-scope.js'
import { knownValue, scalarText, unknownValue, type Evaluation } from './config-values.js'
import type { Token } from './php-tokens.js'
import {
  assignments,
  includes,
  isCall,
  isConstantName,
  isMark,
  noteDefinitions,
  type SkippedCode,
} from './skipped-code.js'

/** The position of the last argument. */
const last = -1

/**
 * The functions of PHP that call a callback, and the position of that argument from 0: null where the callback is in an array.
 * Functions that only store a callback, such as `spl_autoload_register`, are not listed.
 */
const callers: ReadonlyMap<string, number | null> = new Map([
  ['call_user_func', 0],
  ['call_user_func_array', 0],
  ['forward_static_call', 0],
  ['forward_static_call_array', 0],
  ['array_map', 0],
  ['preg_replace_callback_array', 0],
  ['array_walk', 1],
  ['array_walk_recursive', 1],
  ['array_filter', 1],
  ['array_reduce', 1],
  ['array_all', 1],
  ['array_any', 1],
  ['array_find', 1],
  ['array_find_key', 1],
  ['usort', 1],
  ['uasort', 1],
  ['uksort', 1],
  ['iterator_apply', 1],
  ['preg_replace_callback', 1],
  ['mb_ereg_replace_callback', 1],
  ['array_diff_uassoc', last],
  ['array_diff_ukey', last],
  ['array_intersect_uassoc', last],
  ['array_intersect_ukey', last],
  ['array_udiff', last],
  ['array_udiff_assoc', last],
  ['array_udiff_uassoc', last],
  ['array_uintersect', last],
  ['array_uintersect_assoc', last],
  ['array_uintersect_uassoc', last],
  ['filter_input', null],
  ['filter_input_array', null],
  ['filter_var', null],
  ['filter_var_array', null],
])

const opening: ReadonlySet<string> = new Set(['('])
const closing: ReadonlySet<string> = new Set([')', ']', '}'])
const opened: ReadonlySet<string> = new Set(['(', '[', '{', '#['])
const ofMember: ReadonlySet<string> = new Set(['->', '?->', '::'])
const ofClass: ReadonlySet<string> = new Set(['::'])
const comma: ReadonlySet<string> = new Set([','])
const beforeArgument: ReadonlySet<string> = new Set(['(', ','])
const behindValue: ReadonlySet<string> = new Set([',', ')', ']'])

/** The name under which the scope knows a function: in lower case, without its namespace. */
export const functionKey = (name: string): string => asciiLowerCase(name.slice(name.lastIndexOf('\\') + 1))

/**
 * The name under which the scope knows a class. It contains the file: only uses of a class in its own file are followed, since
 * class loaders are called from other files.
 */
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
    : { isKnown: false, reason, closure: code.scope.declareClosure(() => noteCall(code)) }
}

/** Notes a call of the function that a value names. @param code the arguments. */
export function noteCallOf(callee: Evaluation, code: SkippedCode): void {
  if (code.mode.kind === 'skip') return
  const { scope, tokens } = code
  for (const name of namesOf(callee, code, tokens[0]?.line ?? 1)) scope.callFunction(name)
  const caller = callerOf(callee)
  if (caller === '') return
  for (const name of calleesIn(code, (variable) => scope.variable(variable), caller)) scope.callFunction(name)
}

/** Notes the calls in code that is executed and not read. Its closures count as called only where it calls one of {@link callers}. */
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
  return { calls: [...calleesIn(code, () => unknownValue('it is a variable of a function'))], sets }
}

/** The functions and classes that code calls, by their names for the scope. @param caller see {@link CalleeReader}. */
function calleesIn(code: SkippedCode, valueOf: (variable: string) => Evaluation, caller = ''): ReadonlySet<string> {
  const reader = new CalleeReader(code, valueOf, caller)
  reader.read()
  return reader.callees
}

/** An opening bracket whose closing one is not reached yet. */
interface Bracket {
  readonly line: number
  /** The function that is called with this bracket, if it is one of {@link callers} or a variable with the text `define`; else ''. */
  readonly caller: string
  /** The length of `#constants` when the bracket was opened. */
  readonly names: number
  /** The position of the current argument, from 0. */
  position: number
  /** Whether `define` is called through a text with its name in this bracket. */
  isDefine: boolean
}

/** Finds what code calls. Each token is read once, because calls may be nested to any depth. */
class CalleeReader {
  readonly callees = new Set<string>()
  readonly #code: SkippedCode
  readonly #valueOf: (variable: string) => Evaluation
  readonly #brackets: Bracket[] = []
  /** The open brackets with the arguments of {@link callers} or `define`. */
  readonly #calls: Bracket[] = []
  /** The texts in the outermost bracket of `#calls` that look like names of constants. */
  #constants: string[] = []
  /** Whether `define` is called in that bracket. */
  #isDefining = false
  /** Whether one of these calls has no text like the name of a constant, and may define any. */
  #mayDefineOthers = false
  /** The `caller` of the next opening bracket. */
  #caller: string

  /** @param caller the `caller` of the first bracket. */
  constructor(code: SkippedCode, valueOf: (variable: string) => Evaluation, caller: string) {
    this.#code = code
    this.#valueOf = valueOf
    this.#caller = caller
  }

  read(): void {
    for (const [index, token] of this.#code.tokens.entries()) {
      const { kind, text } = token
      if (kind === 'variable') this.#variable(token, index)
      else if (kind === 'name') this.#name(text, index)
      else if (kind === 'text') this.#text(token)
      else if (isMark(token, opened)) this.#enter(token)
      else if (isMark(token, closing)) this.#leave()
      else if (isMark(token, comma)) this.#nextArgument()
    }
    while (this.#brackets.length > 0) this.#leave()
  }

  #variable({ text, line }: Token, index: number): void {
    const [before, next] = [this.#code.tokens[index - 1], this.#code.tokens[index + 1]]
    if (isMark(next, opening) && !isMark(before, ofMember)) {
      const callee = this.#valueOf(text)
      this.#call(callee, line)
      this.#caller = callerOf(callee)
      return
    }
    const call = this.#calls.at(-1)
    if (call === undefined) return
    const value = isMark(next, behindValue) ? this.#valueOf(text) : unknownValue('it is a part of an expression')
    const isFirst = call === this.#brackets.at(-1) && isMark(before, beforeArgument)
    const position = callers.get(call.caller)
    const isCallback = isFirst && (position === last ? isMark(next, closing) : position === call.position)
    if (value.isKnown || value.closure !== undefined || isCallback) this.#call(value, line)
  }

  #name(text: string, index: number): void {
    const { tokens, file } = this.#code
    const before = tokens[index - 1]
    const owner = tokens[index - 2]
    if (before?.kind === 'name' && asciiLowerCase(before.text) === 'new') this.callees.add(classKey(text, file))
    else if (isCall(tokens, index)) {
      const isOfClass = isMark(before, ofClass) && owner?.kind === 'name'
      this.callees.add(isOfClass ? classKey(owner.text, file) : functionKey(text))
      if (isCaller(text)) this.#caller = functionKey(text)
    }
  }

  #text({ text, line }: Token): void {
    if (this.#calls.length === 0) return
    this.#call(knownValue(text), line)
    if (isConstantName(text)) this.#constants.push(text)
  }

  /** Notes that the code calls a value, or passes it to one of {@link callers}. */
  #call(callee: Evaluation, line: number): void {
    for (const name of namesOf(callee, this.#code, line)) this.callees.add(name)
    const call = this.#calls.at(-1)
    if (call !== undefined && callerOf(callee) === 'define') call.isDefine = true
  }

  #enter({ line }: Token): void {
    const caller = this.#caller
    this.#caller = ''
    const bracket = { line, caller, names: this.#constants.length, position: 0, isDefine: caller === 'define' }
    this.#brackets.push(bracket)
    if (caller !== '') this.#calls.push(bracket)
  }

  #nextArgument(): void {
    const bracket = this.#brackets.at(-1)
    if (bracket !== undefined) bracket.position += 1
  }

  #leave(): void {
    const bracket = this.#brackets.pop()
    if (bracket === undefined || bracket !== this.#calls.at(-1)) return
    this.#calls.pop()
    this.#isDefining ||= bracket.isDefine
    this.#mayDefineOthers ||= bracket.isDefine && bracket.names === this.#constants.length
    if (this.#calls.length > 0) return
    if (this.#isDefining) this.#noteDefinitions(bracket.line)
    this.#constants = []
    this.#isDefining = this.#mayDefineOthers = false
  }

  #noteDefinitions(line: number): void {
    const { file, scope, mode } = this.#code
    if (mode.kind === 'skip') return
    const reason = 'calls define by its name, which is not executed'
    scope.noteDefinitions({
      file,
      line,
      reason,
      names: [...new Set(this.#constants)],
      mayDefineOthers: this.#mayDefineOthers,
    })
  }
}

/** The functions that a call of a value may call, by their names for the scope. */
function namesOf(callee: Evaluation, { file, scope, mode }: SkippedCode, line: number): readonly string[] {
  if (!callee.isKnown) {
    if (callee.closure !== undefined) return [callee.closure]
    scope.markUnread({ file, line }, 'calls a function whose name cannot be read', mode)
    return []
  }
  const name = nameIn(callee)
  return name === '' ? [] : [functionKey(name), classKey(name.split('::', 1)[0] ?? '', file)]
}

/** The value when it is the name of a function or a method; else ''. At most 250 characters, which bounds the time per call. */
function nameIn(callee: Evaluation): string {
  const text = callee.isKnown ? scalarText(callee.value) : ''
  return /^[\w\\:\x80-\uffff]{1,250}$/.test(text) ? text : ''
}

/** The name of a called function when it is one of {@link callers} or `define`; else ''. */
function callerOf(callee: Evaluation): string {
  const key = functionKey(nameIn(callee))
  return callers.has(key) || key === 'define' ? key : ''
}

const isCaller = (name: string): boolean => callers.has(functionKey(name))

function isInclude({ kind, text }: Token): boolean {
  return kind === 'name' && includes.has(asciiLowerCase(text))
}

/** The code without its closures; unchanged when it calls one of {@link callers}, which may call them. */
function withoutClosures(tokens: readonly Token[]): readonly Token[] {
  if (tokens.some(({ kind, text }) => kind === 'name' && isCaller(text))) return tokens
  const remaining: Token[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token
    const word = token.kind === 'name' ? asciiLowerCase(token.text) : ''
    if (word === 'function' || word === 'fn') index = endOfClosure(tokens, index, word === 'fn')
    else remaining.push(token)
  }
  return remaining
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
