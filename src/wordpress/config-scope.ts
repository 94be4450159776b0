import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readFailure, readSource, type SourceFile } from './config-file.js'
import { knownValue, unknownValue, type Mode, type Evaluation } from './config-values.js'

/** A file of a configuration and a line in it. */
export interface ConfigPlace {
  readonly file: string
  /** From 1. */
  readonly line: number
}

/** A constant as the files define it. */
export interface Definition extends ConfigPlace {
  readonly value: Evaluation
}

/** Code that may define constants, and why it is not read. */
export interface UnreadCode extends ConfigPlace {
  /** Completes "line 3 of wp-config.php …": `includes a file …`. */
  readonly reason: string
  /** The names of constants that occur in it. */
  readonly names: readonly string[]
  /** Whether it may define constants other than `names`. */
  readonly mayDefineOthers: boolean
}

/** What a function of the files does when it is called. */
export interface CalledCode {
  /** The names of the functions that it calls. */
  readonly calls: readonly string[]
  /** Functions that each assign a global variable in the scope. */
  readonly sets: readonly (() => void)[]
}

export const unreadText = ({ file, line, reason }: UnreadCode): string => `line ${line} of ${file} ${reason}`

export type Environment = Readonly<Record<string, string | undefined>>

type ReadScript = (text: string, file: string, scope: ConfigScope, mode: Mode) => void

/** Maximum number of files of a configuration, with the wp-config.php itself. */
const maxFiles = 50
/** Maximum nesting of included files and of `eval`. */
const maxDepth = 8
/** Maximum length of all code together, in characters. */
const maxCharacters = 4_194_304
/** Maximum length of a computed text, in characters. */
const maxTextLength = 65_536
/** Maximum number of followed calls of functions, with the calls and the assignments in them. */
const maxCalls = 1_000_000

/** The constants and variables that a configuration has defined so far. */
export class ConfigScope {
  readonly constants = new Map<string, Definition>()
  readonly files: string[] = []
  /** The first code that may define more and cannot be read. */
  unread: UnreadCode | null = null
  /** All code that may define more, also where it is executed only when something calls it. */
  readonly unreadParts: UnreadCode[] = []
  /** Whether wp-settings.php has been included. Code after it is ignored. */
  isFinished = false
  readonly #variables = new Map<string, Definition>()
  /** The value of each variable that has none in `#variables`, where code may have set any variable. */
  #forgotten: Definition | null = null
  /** Variables to which a reference exists, by which code may change them. */
  readonly #references = new Set<string>()
  /** The first unread code that names a constant, by constant. */
  readonly #unreadByConstant = new Map<string, UnreadCode>()
  /** Functions and closures of the files, by name. The value returns the effects of a call. */
  readonly #functions = new Map<string, () => CalledCode>()
  readonly #calledNames = new Set<string>()
  #callsLeft = maxCalls
  #closures = 0
  #depth = 0
  #characters = 0

  readonly #read: ReadScript

  constructor(
    readonly environment: Environment,
    readScript: ReadScript,
  ) {
    this.#read = readScript
  }

  define(name: string, value: Evaluation, place: ConfigPlace, mode: Mode): void {
    // PHP keeps the first value of a constant.
    if (mode.kind === 'skip' || this.constants.has(name)) return
    this.constants.set(name, { ...place, value: underMode(value, mode) })
  }

  /** Whether a constant is defined; null when it is not known. */
  isDefined(name: string): boolean | null {
    const definition = this.constants.get(name)
    if (definition === undefined) return this.unreadCodeOf(name) === null ? false : null
    return definition.value.isKnown ? true : null
  }

  /** The unread code that may define a constant: that which names it, else the first that may define any. */
  unreadCodeOf(name: string): UnreadCode | null {
    return this.#unreadByConstant.get(name) ?? this.unread
  }

  /** The reason why `isDefined` returns null. */
  whyUnknown(name: string): string {
    const definition = this.constants.get(name)
    if (definition !== undefined && !definition.value.isKnown) return definition.value.reason
    const unread = this.unreadCodeOf(name)
    return unread === null ? `it depends on ${name}` : unreadText(unread)
  }

  assign(name: string, value: Evaluation, place: ConfigPlace, mode: Mode): void {
    if (mode.kind === 'skip') return
    const assigned = this.#references.has(name) ? unknownValue('a reference to it may change it') : value
    this.#variables.set(name, { ...place, value: underMode(assigned, mode) })
  }

  /** Notes that another name is a reference to the variable, and may change it from now on. */
  markReferenced(name: string, place: ConfigPlace, mode: Mode): void {
    if (mode.kind === 'skip') return
    this.#references.add(name)
    this.assign(name, knownValue(null), place, mode)
  }

  /** Makes all variables unknown, because code may have set any of them. */
  forgetAll(reason: string, place: ConfigPlace, mode: Mode): void {
    if (mode.kind === 'skip') return
    this.#variables.clear()
    this.#forgotten = { ...place, value: unknownValue(reason) }
  }

  definitionOfVariable(name: string): Definition | null {
    return this.#variables.get(name) ?? this.#forgotten
  }

  variable(name: string): Evaluation {
    return this.definitionOfVariable(name)?.value ?? unknownValue(`it uses $${name}, which has no value in the file`)
  }

  /** Whether `isset` is true; null when it is not known. */
  hasVariable(name: string): boolean | null {
    const value = this.definitionOfVariable(name)?.value
    if (value === undefined) return this.unread === null ? false : null
    return value.isKnown ? value.value !== null : null
  }

  /** A text of at most `maxTextLength` characters; else unknown. Code could double a text in each line. */
  text(text: string): Evaluation {
    return text.length > maxTextLength
      ? unknownValue(`the text has more than ${maxTextLength} characters`)
      : knownValue(text)
  }

  /** A variable of the environment as PHP's `getenv` returns it: false when it is not set. */
  variableOfEnvironment(name: string): Evaluation {
    const text = this.environment[name]
    return text === undefined ? { isKnown: true, value: false, unset: name } : knownValue(text)
  }

  /** Notes code that cannot be read and may define any constant. */
  markUnread(place: ConfigPlace, reason: string, mode: Mode): void {
    if (mode.kind === 'skip') return
    const last = this.unreadParts.at(-1)
    if (last?.file === place.file && last.line === place.line && last.reason === reason) return
    const part: UnreadCode = { ...place, reason, names: [], mayDefineOthers: true }
    this.unread ??= part
    this.unreadParts.push(part)
  }

  /** Notes code that is not executed here, and may define constants when it is called. */
  noteDefinitions(part: UnreadCode): void {
    this.unreadParts.push(part)
    for (const name of part.names) if (!this.#unreadByConstant.has(name)) this.#unreadByConstant.set(name, part)
  }

  /**
   * Adds the names that are seen around unread code. @param start the index in `unreadParts` from which this code is. Only
   * its first part gets them: a file could have many parts and many names.
   */
  nameUnread(start: number, names: readonly string[]): void {
    const [part, ...others] = this.unreadParts.splice(start)
    if (part !== undefined)
      this.noteDefinitions(part.mayDefineOthers ? { ...part, names: [...part.names, ...names] } : part)
    for (const other of others) this.unreadParts.push(other)
  }

  /** @param whenCalled returns what a call does. It runs once, when the function is called or already has been. */
  declareFunction(name: string, whenCalled: () => CalledCode): void {
    let code: CalledCode | undefined
    this.#functions.set(name, () => (code ??= whenCalled()))
    if (this.#calledNames.has(name)) this.callFunction(name)
  }

  /** @returns the name by which `callFunction` finds the closure. */
  declareClosure(whenCalled: () => CalledCode): string {
    this.#closures += 1
    const name = `{closure}${this.#closures}`
    this.declareFunction(name, whenCalled)
    return name
  }

  /** @param name of a function or a class, as `functionKey` or `classKey` makes it. PHP knows a function before its declaration. */
  callFunction(name: string): void {
    // A loop, since functions could call each other in a chain that is longer than the stack.
    const names = new Set([name])
    for (const next of names) {
      this.#calledNames.add(next)
      const { calls, sets } = this.#functions.get(next)?.() ?? noCode
      this.#callsLeft -= 1 + calls.length + sets.length
      if (this.#callsLeft < 0) throw new Error(`there are more than ${maxCalls} calls of functions`)
      for (const set of sets) set()
      for (const other of calls) names.add(other)
    }
  }

  /** Reads a file that the code includes. @param word `require_once` and so on. */
  include(path: string, place: ConfigPlace, mode: Mode, word: string): void {
    if (mode.kind === 'skip') return
    const file = resolve(dirname(place.file), path)
    try {
      const source = readSource(file)
      if (word.endsWith('_once') && this.files.includes(source.path)) return
      if (this.files.length >= maxFiles) throw new Error(`there are more than ${maxFiles} files`)
      this.executeFile(source, mode)
    } catch (error) {
      const isOptional = word.startsWith('include') && (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isOptional) this.markUnread(place, `includes ${file}, which cannot be read: ${readFailure(error)}`, mode)
    }
  }

  /** @throws Error when there is too much code. @throws PhpSyntaxError */
  executeFile({ path, text }: SourceFile, mode: Mode): void {
    this.files.push(path)
    this.execute(text, path, mode)
  }

  /** Reads code. @throws Error when there is too much of it. @throws PhpSyntaxError */
  execute(text: string, file: string, mode: Mode): void {
    this.#characters += text.length
    if (this.#characters > maxCharacters) throw new Error(`there are more than ${maxCharacters} characters of code`)
    if (this.#depth >= maxDepth) throw new Error(`files include each other more than ${maxDepth} times`)
    this.#depth += 1
    try {
      this.#read(text, file, this, mode)
    } finally {
      this.#depth -= 1
    }
  }

  /** Whether a file exists, as PHP's `file_exists` says. */
  fileExists(path: string, from: string): Evaluation {
    try {
      statSync(resolve(dirname(from), path))
      return knownValue(true)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
      return isMissing ? knownValue(false) : unknownValue(`it depends on ${path}: ${readFailure(error)}`)
    }
  }
}

const noCode: CalledCode = { calls: [], sets: [] }

function underMode(value: Evaluation, mode: Mode): Evaluation {
  if (mode.kind !== 'maybe') return value
  const prefix = 'it depends on a condition that cannot be read: '
  return unknownValue(mode.reason.startsWith(prefix) ? mode.reason : prefix + mode.reason)
}
