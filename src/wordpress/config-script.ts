import { classKey, functionKey, noteCall, noteExecuted } from './called-code.js'
import { ConfigExpressions } from './config-expression.js'
import type { ConfigScope } from './config-scope.js'
import { knownValue, modeWhen, skip, unknownValue, type Mode, type Evaluation } from './config-values.js'
import { phpTokens } from './php-tokens.js'
import {
  constantNamesIn,
  forgetAssigned,
  forgetReferences,
  forgetVariables,
  noteDefinitions,
  type SkippedCode,
} from './skipped-code.js'
import { TokenCursor } from './token-cursor.js'

/**
 * Reads the code of a configuration from top to bottom, and notes in the scope what it defines. Nothing is executed: a
 * condition that cannot be read makes uncertain what depends on it, and functions and classes are skipped.
 * @throws PhpSyntaxError
 */
export function readScript(text: string, file: string, scope: ConfigScope, mode: Mode): void {
  new ConfigScript(new TokenCursor(phpTokens(text)), file, scope).statements(mode)
}

class ConfigScript {
  readonly #cursor: TokenCursor
  readonly #file: string
  readonly #scope: ConfigScope
  readonly #expressions: ConfigExpressions
  /** Whether a `return` has ended the file. */
  #hasReturned = false
  #isInLoop = false

  constructor(cursor: TokenCursor, file: string, scope: ConfigScope) {
    this.#cursor = cursor
    this.#file = file
    this.#scope = scope
    this.#expressions = new ConfigExpressions(cursor, scope, file)
  }

  statements(mode: Mode): void {
    while (!this.#cursor.atEnd) {
      if (this.#scope.isFinished || this.#hasReturned) return
      // A closing brace without an opening one is skipped.
      if (!this.#cursor.takeMark('}')) this.#statement(mode)
    }
  }

  #statement(mode: Mode): void {
    this.#cursor.nested(() => {
      if (this.#cursor.takeMark(';')) return
      if (this.#cursor.atMark('#[')) return this.#cursor.skipBrackets()
      if (this.#cursor.takeMark('{')) return this.#block(mode)
      if (!this.#keyword(this.#cursor.keyword, this.#scope.isFinished || this.#hasReturned ? skip : mode)) {
        const statementMode = this.#scope.isFinished || this.#hasReturned ? skip : mode
        this.#expressions.read(statementMode)
        this.#endStatement(statementMode)
      }
    })
  }

  #block(mode: Mode): void {
    while (!this.#cursor.atEnd && !this.#cursor.takeMark('}')) this.#statement(mode)
  }

  /** @returns false when the statement is an expression. */
  #keyword(word: string, mode: Mode): boolean {
    switch (word) {
      case 'if':
        this.#cursor.take()
        this.#if(mode)
        return true
      case 'while':
      case 'for':
      case 'foreach':
      case 'switch':
        this.#loop(word, mode)
        return true
      case 'do':
      case 'else':
      case 'try':
      case 'finally':
        this.#cursor.take()
        return true
      case 'catch':
        this.#cursor.take()
        this.#cursor.skipBrackets()
        this.#statement(maybe(mode, 'it is in a catch'))
        return true
      case 'declare':
        this.#cursor.take()
        this.#cursor.skipBrackets()
        return true
      case 'case':
      case 'default':
        noteExecuted(this.#skippedTo(':', mode))
        this.#cursor.take()
        return true
      case 'function':
        return this.#function(mode)
      case 'class':
      case 'abstract':
      case 'final':
      case 'readonly':
      case 'interface':
      case 'trait':
        this.#class(mode)
        return true
      case 'namespace':
        while (!this.#cursor.atEnd && !this.#cursor.atMark(';') && !this.#cursor.atMark('{')) this.#cursor.take()
        return true
      case 'use':
      case 'global':
      case 'goto':
      case 'break':
      case 'continue':
        this.#cursor.skipBehind(';')
        return true
      case 'echo':
        do {
          this.#cursor.take()
          this.#expressions.read(mode)
        } while (this.#cursor.atMark(','))
        this.#endStatement(mode)
        return true
      case 'const':
        this.#cursor.take()
        this.#const(mode)
        return true
      case 'return':
        this.#cursor.take()
        if (!this.#cursor.atMark(';')) this.#expressions.read(mode)
        this.#endStatement(mode)
        this.#hasReturned ||= mode.kind === 'run'
        return true
      default:
        return false
    }
  }

  #if(mode: Mode): void {
    let rest = mode
    const branch = (condition: Evaluation | null): boolean => {
      const isAlternative = this.#cursor.atMark(':')
      this.#body(condition === null ? rest : modeWhen(rest, condition, true), ['elseif', 'else', 'endif'])
      if (condition !== null) rest = modeWhen(rest, condition, false)
      return isAlternative
    }
    let isAlternative = branch(this.#condition(mode))
    for (;;) {
      const word = this.#cursor.keyword
      if (word === 'elseif' || (word === 'else' && isElseIf(this.#cursor))) {
        this.#cursor.take()
        if (word === 'else') this.#cursor.take()
        isAlternative = branch(this.#condition(rest))
        continue
      }
      if (word === 'else') {
        this.#cursor.take()
        branch(null)
      }
      if (isAlternative && this.#cursor.keyword === 'endif') this.#cursor.skipBehind(';')
      return
    }
  }

  /** The expression in the parentheses that are next. */
  #condition(mode: Mode): Evaluation {
    if (!this.#cursor.takeMark('(')) return knownValue(false)
    const condition = this.#expressions.read(mode)
    if (!this.#cursor.takeMark(')')) {
      this.#cursor.skipBehind(')')
      this.#cursor.takeMark(')')
      return unknownValue('a condition is not understood')
    }
    return condition
  }

  /** A statement, or the statements between `:` and one of these words. */
  #body(mode: Mode, ends: readonly string[]): void {
    if (!this.#cursor.takeMark(':')) return this.#statement(mode)
    while (!this.#cursor.atEnd && !ends.includes(this.#cursor.keyword)) {
      if (this.#cursor.atMark('}')) return
      this.#statement(mode)
    }
    // `if` ends after its other branches.
    if (ends.length === 1) this.#cursor.skipBehind(';')
  }

  /** @returns false for a closure. */
  #function(mode: Mode): boolean {
    const next = this.#cursor.peek(1)
    const isNamed = next.kind === 'name' || (this.#cursor.atMark('&', 1) && this.#cursor.peek(2).kind === 'name')
    if (!isNamed) return false
    const { text: name } = next.kind === 'name' ? next : this.#cursor.peek(2)
    const skipped = this.#skipFunctions(mode)
    if (mode.kind !== 'skip') this.#scope.declareFunction(functionKey(name), () => noteCall(skipped))
    return true
  }

  #class(mode: Mode): void {
    while (['abstract', 'final', 'readonly'].includes(this.#cursor.keyword)) this.#cursor.take()
    const { text: name } = this.#cursor.peek(1)
    const skipped = this.#skipFunctions(mode)
    if (mode.kind !== 'skip') this.#scope.declareFunction(classKey(name, this.#file), () => noteCall(skipped))
  }

  /** Skips a function or a class, and notes what it would define. */
  #skipFunctions(mode: Mode): SkippedCode {
    const start = this.#cursor.position
    this.#cursor.skipTo('{')
    this.#cursor.skipBrackets()
    const skipped = this.#skipped(start, mode)
    noteDefinitions(skipped, 'defines constants in a function, which is not executed')
    return skipped
  }

  #skippedTo(mark: string, mode: Mode): SkippedCode {
    const start = this.#cursor.position
    this.#cursor.skipTo(mark)
    return this.#skipped(start, mode)
  }

  #skipped(start: number, mode: Mode): SkippedCode {
    return { tokens: this.#cursor.takenSince(start), file: this.#file, scope: this.#scope, mode }
  }

  /** A `switch` is read as a loop: whether its cases are executed is not known. */
  #loop(word: string, mode: Mode): void {
    const isOutermost = !this.#isInLoop
    this.#isInLoop = true
    const start = this.#cursor.position
    const firstPart = this.#scope.unreadParts.length
    this.#cursor.take()
    this.#cursor.skipBrackets()
    const head = this.#skipped(start, mode)
    noteDefinitions(head, `defines constants in the head of a ${word}, which is not executed`)
    if (word === 'foreach') {
      const as = head.tokens.findLastIndex(({ kind, text }) => kind === 'name' && text.toLowerCase() === 'as')
      const values = { ...head, tokens: head.tokens.slice(as) }
      forgetVariables(values, 'a foreach sets it')
      forgetReferences(values)
    }
    forgetAssigned(head)
    noteExecuted(head)
    this.#body(maybe(mode, `it is in a ${word}`), [`end${word}`])
    if (!isOutermost) return
    this.#isInLoop = false
    if (this.#scope.unreadParts.length > firstPart)
      this.#scope.nameUnread(firstPart, constantNamesIn(this.#cursor.takenSince(start)))
  }

  #const(mode: Mode): void {
    do {
      const { kind, text, line } = this.#cursor.take()
      if (kind !== 'name' || !this.#cursor.takeMark('=')) break
      this.#scope.define(text, this.#expressions.read(mode), { file: this.#file, line }, mode)
    } while (this.#cursor.takeMark(','))
    this.#endStatement(mode)
  }

  #endStatement(mode: Mode): void {
    if (this.#cursor.takeMark(';')) return
    if (this.#cursor.atMark('}') || this.#cursor.atEnd) return
    const { line } = this.#cursor
    const start = this.#cursor.peek()
    const position = this.#cursor.position
    this.#cursor.skipBehind(';')
    const skipped = this.#skipped(position, mode)
    noteDefinitions(skipped, 'defines constants in a statement that is not understood')
    noteExecuted(skipped)
    // A closing bracket without an opening one would otherwise stop the progress.
    if (this.#cursor.peek() === start && this.#cursor.line === line) this.#cursor.take()
  }
}

const maybe = (mode: Mode, reason: string): Mode => (mode.kind === 'run' ? { kind: 'maybe', reason } : mode)

const isElseIf = (cursor: TokenCursor): boolean => {
  const { kind, text } = cursor.peek(1)
  return kind === 'name' && text.toLowerCase() === 'if'
}
