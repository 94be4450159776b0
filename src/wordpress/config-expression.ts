import { asciiLowerCase } from '../php/ascii-case.js'
import { classKey, noteCallOf, noteClosure, noteExecuted } from './called-code.js'
import { constantOf, phpFunctions } from './config-functions.js'
import {
  assignmentPrecedence,
  binary,
  cast,
  casts,
  coalescePrecedence,
  not,
  numberOf,
  precedences,
  unaryPrecedence,
} from './config-operators.js'
import type { ConfigPlace, ConfigScope } from './config-scope.js'
import {
  knownValue,
  modeWhen,
  scalarText,
  skip,
  truth,
  unknownValue,
  unsetText,
  type Mode,
  type Evaluation,
} from './config-values.js'
import {
  assignments,
  forgetAssigned,
  forgetReferences,
  forgetVariables,
  includes,
  noteDefinitions,
  type SkippedCode,
} from './skipped-code.js'
import type { TokenCursor } from './token-cursor.js'

const definesInFunction = 'defines constants in a function, which is not executed'

/**
 * Reads expressions of a configuration, with what they define. Each expression is read once, from left to right; the mode
 * says whether its effects count. What it does not understand is unknown.
 */
export class ConfigExpressions {
  readonly #cursor: TokenCursor
  readonly #scope: ConfigScope
  readonly #file: string

  constructor(cursor: TokenCursor, scope: ConfigScope, file: string) {
    this.#cursor = cursor
    this.#scope = scope
    this.#file = file
  }

  /** @param minimum the weakest operator that still belongs to the expression. */
  read(mode: Mode, minimum = 0): Evaluation {
    return this.#cursor.nested(() => {
      let left = this.#unary(mode)
      for (;;) {
        const token = this.#cursor.peek()
        const operator = token.kind === 'name' ? token.text.toLowerCase() : token.kind === 'mark' ? token.text : ''
        const precedence = precedences.get(operator)
        if (precedence === undefined || precedence < minimum) return left
        this.#cursor.take()
        left = this.#operation(operator, precedence, left, mode)
      }
    })
  }

  #operation(operator: string, precedence: number, left: Evaluation, mode: Mode): Evaluation {
    switch (operator) {
      case '?':
        return this.#conditional(left, mode)
      case '??':
        return this.#coalesced(left, mode)
      case '||':
      case 'or':
        return this.#either(left, this.read(modeWhen(mode, left, false), precedence + 1), true)
      case '&&':
      case 'and':
        return this.#either(left, this.read(modeWhen(mode, left, true), precedence + 1), false)
      default:
        // Only ** binds to the right.
        return binary(operator, left, this.read(mode, operator === '**' ? precedence : precedence + 1), this.#scope)
    }
  }

  /** The value of `||` or `&&`. @param decisive the truth value of one side that decides the result: true for `||`. */
  #either(left: Evaluation, right: Evaluation, decisive: boolean): Evaluation {
    if (truth(left) === decisive || truth(right) === decisive) return knownValue(decisive)
    if (!left.isKnown) return left
    return right.isKnown ? knownValue(!decisive) : right
  }

  #conditional(condition: Evaluation, mode: Mode): Evaluation {
    const isShort = this.#cursor.takeMark(':')
    const whenTrue = isShort ? condition : this.read(modeWhen(mode, condition, true), assignmentPrecedence)
    if (!isShort && !this.#cursor.takeMark(':')) return unknownValue('its ? has no :')
    const whenFalse = this.read(modeWhen(mode, condition, false), coalescePrecedence)
    const isTrue = truth(condition)
    return isTrue === null ? condition : isTrue ? whenTrue : whenFalse
  }

  #coalesced(left: Evaluation, mode: Mode): Evaluation {
    const isNull = left.isKnown ? left.value === null : null
    const right = this.read(modeWhen(mode, isNull === null ? left : knownValue(isNull), true), coalescePrecedence)
    return isNull === true ? right : left
  }

  #unary(mode: Mode): Evaluation {
    const cursor = this.#cursor
    const { kind, text } = cursor.peek()
    if (kind === 'mark') {
      switch (text) {
        case '!':
          cursor.take()
          return not(this.read(mode, unaryPrecedence))
        case '-':
        case '+':
          cursor.take()
          return this.#signed(text, this.read(mode, unaryPrecedence))
        case '@':
        case '&':
          cursor.take()
          return this.read(mode, unaryPrecedence)
        case '(':
          return this.#parenthesis(mode)
        case '[':
          return this.#list(mode)
        case '$':
          return this.#variableVariable(mode)
        case '#[':
          cursor.skipBrackets()
          return this.read(mode, unaryPrecedence)
        default:
          return unknownValue(`it has an unexpected ${text}`)
      }
    }
    if (kind === 'name') return this.#nameExpression(mode)
    if (kind === 'variable') return this.#variable(mode)
    if (kind === 'end') return unknownValue('it is missing')
    cursor.take()
    if (kind === 'template') return this.#postfix(mode, unknownValue('it contains a variable or a command'))
    return this.#postfix(mode, kind === 'number' ? numberOf(text) : this.#scope.text(text))
  }

  #signed(sign: string, operand: Evaluation): Evaluation {
    if (!operand.isKnown) return operand
    return typeof operand.value === 'number'
      ? knownValue(sign === '-' ? -operand.value : operand.value)
      : unknownValue(`it has a ${sign} sign`)
  }

  #parenthesis(mode: Mode): Evaluation {
    const cursor = this.#cursor
    const next = cursor.peek(1)
    if (next.kind === 'name' && casts.has(next.text.toLowerCase()) && cursor.atMark(')', 2)) {
      for (let taken = 0; taken < 3; taken += 1) cursor.take()
      return cast(next.text.toLowerCase(), this.read(mode, unaryPrecedence))
    }
    cursor.take()
    const value = this.read(mode)
    if (cursor.takeMark(')')) return this.#postfix(mode, value)
    cursor.skipBehind(')')
    cursor.takeMark(')')
    return unknownValue('it has something in parentheses that is not understood')
  }

  /** A value followed by `[…]`, `->name`, `::name` or a call is not known. */
  #postfix(mode: Mode, value: Evaluation, name = 'a value'): Evaluation {
    const cursor = this.#cursor
    let result = value
    // Null for the method of a value.
    let callee: Evaluation | null = value
    for (;;) {
      if (cursor.atMark('[') || cursor.atMark('(')) {
        const isCalled = cursor.atMark('(')
        const skipped = this.#skipBrackets(mode)
        if (isCalled && callee !== null) noteCallOf(callee, skipped)
        callee = unknownValue(`it uses a part of ${name}`)
      } else if (['->', '?->', '::'].some((mark) => cursor.takeMark(mark))) {
        callee = null
        if (cursor.atMark('{')) this.#skipBrackets(mode)
        else if (cursor.atMark('::', -1)) this.#ofClass(mode)
        else cursor.take()
      } else if (!cursor.takeMark('++') && !cursor.takeMark('--')) return result
      result = unknownValue(`it uses a part of ${name}`)
    }
  }

  /** Skips brackets, and notes what the code in them would call, define or assign. @param start of the code. */
  #skipBrackets(mode: Mode, start = this.#cursor.position): SkippedCode {
    this.#cursor.skipBrackets()
    const skipped = this.#skipped(start, mode)
    noteDefinitions(skipped, definesInFunction)
    noteExecuted(skipped)
    forgetAssigned(skipped)
    return skipped
  }

  #skipped(start: number, mode: Mode): SkippedCode {
    return { tokens: this.#cursor.takenSince(start), file: this.#file, scope: this.#scope, mode }
  }

  /** The name of a member of a class is next: `Config::define(…)`, as in Bedrock. */
  #ofClass(mode: Mode): void {
    const start = this.#cursor.position
    const { text } = this.#cursor.peek(-2)
    const isDefine = this.#cursor.keyword === 'define'
    this.#cursor.take()
    if (!this.#cursor.atMark('(')) return
    if (mode.kind !== 'skip') this.#scope.callFunction(classKey(text, this.#file))
    if (!isDefine) return
    this.#cursor.skipBrackets()
    noteDefinitions(this.#skipped(start, mode), `calls ${text}::define, which is not executed`)
  }

  /** A list, or the variables to which the parts of one are assigned. */
  #list(mode: Mode): Evaluation {
    const variables = this.#skipBrackets(mode)
    forgetReferences(variables)
    if (this.#cursor.takeMark('=')) {
      this.read(mode, assignmentPrecedence)
      forgetVariables(variables, 'a part of a list is assigned to it')
    }
    return this.#postfix(mode, unknownValue('it is a list'))
  }

  /** `$$name` and `${…}`. */
  #variableVariable(mode: Mode): Evaluation {
    const { line } = this.#cursor
    while (this.#cursor.takeMark('$'));
    if (this.#cursor.atMark('{')) this.#skipBrackets(mode)
    else if (this.#cursor.peek().kind === 'variable') this.#cursor.take()
    const reason = 'it uses a variable whose name cannot be read'
    const value = this.#postfix(mode, unknownValue(reason))
    const { kind, text } = this.#cursor.peek()
    if (kind !== 'mark' || !assignments.has(text)) return value
    this.#cursor.take()
    const assigned = this.read(mode, assignmentPrecedence)
    this.#scope.forgetAll('a variable whose name cannot be read is assigned', { file: this.#file, line }, mode)
    return assigned
  }

  #variable(mode: Mode): Evaluation {
    const { text, line } = this.#cursor.take()
    const key = this.#cursor.peek(1)
    const hasTextKey = this.#cursor.atMark('[') && key.kind === 'text' && this.#cursor.atMark(']', 2)
    const isEnvironment = text === '_ENV' && hasTextKey
    const whole = isEnvironment ? this.#scope.variableOfEnvironment(key.text) : this.#scope.variable(text)
    const value = this.#postfix(mode, whole, `$${text}`)
    const isWhole = value === whole && !isEnvironment
    const operator = this.#cursor.peek()
    if (operator.kind !== 'mark' || !assignments.has(operator.text)) return isEnvironment ? whole : value
    this.#cursor.take()
    const place = { file: this.#file, line }
    const isReference = this.#cursor.atMark('&')
    const start = this.#cursor.position
    const assigned = this.#assigned(operator.text, whole, this.read(mode, assignmentPrecedence))
    if (isWhole) this.#scope.assign(text, assigned, place, mode)
    else if (text === 'GLOBALS' && hasTextKey)
      this.#scope.assign(key.text, unknownValue('it is assigned by $GLOBALS'), place, mode)
    else if (text === 'GLOBALS') this.#scope.forgetAll('a variable is assigned by $GLOBALS', place, mode)
    else if (!isEnvironment) this.#scope.assign(text, unknownValue('a part of it is assigned'), place, mode)
    if (isReference) {
      this.#scope.markReferenced(text, place, mode)
      forgetReferences(this.#skipped(start, mode))
    }
    return assigned
  }

  #assigned(operator: string, before: Evaluation, value: Evaluation): Evaluation {
    if (operator === '=') return value
    if (operator === '.=') return binary('.', before, value, this.#scope)
    if (operator === '??=' && before.isKnown) return before.value === null ? value : before
    return unknownValue(`it is assigned with ${operator}`)
  }

  #nameExpression(mode: Mode): Evaluation {
    const cursor = this.#cursor
    const { text, line } = cursor.take()
    const word = asciiLowerCase(text.replace(/^\\/, ''))
    const place = { file: this.#file, line }
    if (includes.has(word)) return this.#include(word, place, mode)
    switch (word) {
      case 'function':
      case 'fn':
      case 'static':
      case 'new':
      case 'match':
        return this.#unread(word, mode)
      case 'print':
      case 'clone':
      case 'throw':
      case 'yield':
        this.read(mode, assignmentPrecedence)
        return unknownValue(`it uses ${word}`)
      case 'exit':
      case 'die':
        if (cursor.atMark('(')) this.#skipBrackets(mode)
        return unknownValue(`it uses ${word}`)
      default:
    }
    if (cursor.atMark('('))
      return word === 'list' ? this.#list(mode) : this.#postfix(mode, this.#call(word, place, mode))
    return this.#postfix(mode, constantOf(text.replace(/^\\/, ''), place, this.#scope), text)
  }

  /** Skips what makes an object or a function. Its body is not executed here. */
  #unread(word: string, mode: Mode): Evaluation {
    const cursor = this.#cursor
    const start = cursor.position
    if (word === 'fn') {
      cursor.skipBrackets()
      cursor.takeMark('=>')
      this.read(skip, assignmentPrecedence)
      return noteClosure(this.#skipped(start, mode), word)
    }
    // `new class(…) extends X { … }`, `function (…) use (…): type { … }`, `match (…) { … }`, `new X(…)`.
    const marks = word === 'function' || word === 'static' ? ['(', '&', '?', ':', '|'] : ['(']
    while (cursor.peek().kind === 'name' || marks.some((mark) => cursor.atMark(mark)))
      if (cursor.atMark('(')) {
        const isUse = asciiLowerCase(cursor.peek(-1).text) === 'use'
        const bracket = cursor.position
        cursor.skipBrackets()
        if (isUse) forgetReferences(this.#skipped(bracket, mode))
      } else cursor.take()
    if (cursor.atMark('{')) cursor.skipBrackets()
    const skipped = this.#skipped(start - 1, mode)
    const value = noteClosure(skipped, word)
    if (word === 'new' || word === 'match') noteExecuted(skipped)
    if (word === 'new' && asciiLowerCase(skipped.tokens[1]?.text ?? '') === 'class') noteCallOf(value, skipped)
    return this.#postfix(mode, value)
  }

  #call(word: string, place: ConfigPlace, mode: Mode): Evaluation {
    if (word === 'isset') return this.#isset(mode)
    if (word === 'eval') return this.#eval(place, mode)
    const phpFunction = phpFunctions.get(word)
    if (phpFunction === undefined) {
      this.#skipBrackets(mode, this.#cursor.position - 1)
      if (word === 'extract') this.#scope.forgetAll('extract() sets variables', place, mode)
      return unknownValue(`it calls ${word}(), which is not executed`)
    }
    return phpFunction({ values: this.#values(mode), scope: this.#scope, place, mode })
  }

  /** The values in the parentheses that are next. */
  #values(mode: Mode): Evaluation[] {
    const values: Evaluation[] = []
    this.#cursor.take()
    while (!this.#cursor.takeMark(')')) {
      if (this.#cursor.atEnd) return values
      values.push(this.read(mode))
      if (this.#cursor.takeMark(',') || this.#cursor.atMark(')')) continue
      values.push(unknownValue('it has something that is not understood'))
      this.#cursor.skipBehind(')')
      return values
    }
    return values
  }

  #isset(mode: Mode): Evaluation {
    const { kind, text } = this.#cursor.peek(1)
    const isSimple = kind === 'variable' && this.#cursor.atMark(')', 2)
    this.#skipBrackets(mode)
    const isSet = isSimple ? this.#scope.hasVariable(text) : null
    if (isSet !== null) return knownValue(isSet)
    return unknownValue(kind === 'variable' ? this.#scope.whyUnknown(`$${text}`) : 'it uses isset()')
  }

  /** Docker's wp-config.php evaluates the variable WORDPRESS_CONFIG_EXTRA. */
  #eval({ file, line }: ConfigPlace, mode: Mode): Evaluation {
    const [code] = this.#values(mode)
    const isSkipped = mode.kind === 'skip'
    try {
      if (code?.isKnown !== true) this.#scope.markUnread({ file, line }, 'evaluates code that cannot be read', mode)
      else if (code.unset !== undefined)
        this.#scope.markUnread({ file, line }, `evaluates code that cannot be read: ${unsetText(code.unset)}`, mode)
      else if (!isSkipped) this.#scope.execute(`<?php ${scalarText(code.value)}`, file, mode)
    } catch (error) {
      this.#scope.markUnread({ file, line }, `evaluates code that cannot be read: ${(error as Error).message}`, mode)
    }
    return unknownValue('it uses eval()')
  }

  #include(word: string, place: ConfigPlace, mode: Mode): Evaluation {
    const path = this.read(mode, assignmentPrecedence)
    const last = [this.#cursor.peek(-1), this.#cursor.peek(-2)].find(({ kind }) => kind === 'text')
    if (mode.kind !== 'skip') {
      if (last?.text.endsWith('wp-settings.php')) this.#scope.isFinished ||= mode.kind === 'run'
      else if (path.isKnown && path.unset !== undefined)
        this.#scope.markUnread(place, `includes a file whose name cannot be read: ${unsetText(path.unset)}`, mode)
      else if (path.isKnown) this.#scope.include(scalarText(path.value), place, mode, word)
      else this.#scope.markUnread(place, `includes a file whose name cannot be read: ${path.reason}`, mode)
    }
    return unknownValue('it is the result of a file')
  }
}
