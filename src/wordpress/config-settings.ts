import { isUtf8 } from '../php/text.js'
import { unreadText, type ConfigPlace, type Definition, type Environment, type UnreadCode } from './config-scope.js'
import { readFailure, readSource } from './config-file.js'
import { knownValue, scalarText, truth, unknownValue, type PhpScalar, type Evaluation } from './config-values.js'

/** A value of a configuration that cannot be used. */
export interface ConfigFault {
  /** The constant, `$table_prefix`, or null for the whole file. */
  readonly name: string | null
  /** Null for a value that no file has. */
  readonly place: ConfigPlace | null
  /** The fault and its remedy, as a sentence. */
  readonly message: string
}

/** The variable of the environment that is used instead of a constant: `WORDPRESS_DB_NAME`, as in Docker's image. */
export const variableFor = (name: string): string =>
  name === '$table_prefix' ? 'WORDPRESS_TABLE_PREFIX' : `WORDPRESS_${name}`

/** Reads constants by their type, and keeps what is wrong with them. */
export class ConfigSettings {
  readonly #faults: ConfigFault[] = []
  /** Where each value comes from: `file:line`, or a variable of the environment. */
  readonly sources = new Map<string, string>()
  readonly #definitions: ReadonlyMap<string, Definition>
  readonly #environment: Environment
  readonly #unread: UnreadCode | null

  constructor(definitions: ReadonlyMap<string, Definition>, environment: Environment, unread: UnreadCode | null) {
    this.#definitions = definitions
    this.#environment = environment
    this.#unread = unread
  }

  /** Null when nothing defines it. */
  text(name: string): string | null {
    const value = this.#value(name)
    if (value === undefined) return null
    const text = scalarText(value)
    if (isUtf8(text)) return text
    this.refuse(name, `${name} is not valid UTF-8.`)
    return null
  }

  /**
   * What is wrong, in the order in which the values were read. Where a file cannot be read, the values that it may define share one
   * fault.
   */
  faults(): readonly ConfigFault[] {
    const unread = this.#unread
    if (unread === null) return this.#faults
    const cause = unreadText(unread)
    const doubtful = this.#faults.filter(({ message }) => message.includes(cause))
    const others = this.#faults.filter(({ message }) => !message.includes(cause))
    if (doubtful.length === 0) return others
    const variables = doubtful.map(({ name }) => variableFor(name ?? '')).join(', ')
    const message = `The file ${unread.reason}. Pass the file with the constants instead (Debian: /etc/wordpress/config-<host>.php), or set in the environment: ${variables}.`
    return [{ name: null, place: { file: unread.file, line: unread.line }, message }, ...others]
  }

  /** Empty when nothing defines it, which is a fault. */
  requiredText(name: string): string {
    const text = this.text(name)
    const isFaulty = this.#faults.some((fault) => fault.name === name)
    if (text !== null || isFaulty) return text ?? ''
    const cause = this.#unread === null ? 'no file defines it' : unreadText(this.#unread)
    this.refuse(name, `${name} cannot be read: ${cause}. Set ${variableFor(name)} in the environment.`)
    return ''
  }

  /** As `text`, for a value that the service can do without: null also when it cannot be read. */
  optionalText(name: string): string | null {
    const setting = this.#ofEnvironment(name) ?? this.#ofFiles(name)
    return setting?.isKnown === true && typeof setting.value === 'string' ? setting.value : null
  }

  flag(name: string): boolean {
    return this.flagOrNull(name) ?? false
  }

  /** Null when nothing defines it. */
  flagOrNull(name: string): boolean | null {
    const value = this.#value(name)
    if (value === undefined) return null
    if (typeof value === 'string' && this.#isOfEnvironment(name)) return !/^(0|false|no|off|)$/i.test(value)
    return truth(knownValue(value)) === true
  }

  /** A number; true counts as `whenTrue`, false as 0. Null when nothing defines it. */
  count(name: string, whenTrue: number): number | null {
    const value = this.#value(name)
    if (value === undefined) return null
    if (value === true || (value === 'true' && this.#isOfEnvironment(name))) return whenTrue
    if (value === false || value === null || value === 'false') return 0
    const number = Number(value)
    if (Number.isFinite(number)) return Math.trunc(number)
    this.refuse(name, `${name} is not a number.`)
    return null
  }

  #isOfEnvironment(name: string): boolean {
    return this.sources.get(name)?.startsWith('WORDPRESS_') ?? false
  }

  #value(name: string): PhpScalar | undefined {
    const setting = this.#ofEnvironment(name) ?? this.#ofFiles(name)
    if (setting === null) return undefined
    if (setting.isKnown && setting.unset === undefined) return setting.value
    const reason = setting.isKnown ? `the variable ${setting.unset} is not set in this process` : setting.reason
    const remedy =
      setting.isKnown && setting.unset !== variableFor(name)
        ? `Set ${setting.unset} or ${variableFor(name)} in the environment.`
        : `Set ${variableFor(name)} in the environment.`
    this.refuse(name, `${name} cannot be read: ${reason}. ${remedy}`)
    return undefined
  }

  #ofEnvironment(name: string): Evaluation | null {
    const variable = variableFor(name)
    const text = this.#environment[variable]
    if (text !== undefined) {
      this.sources.set(name, variable)
      return knownValue(text)
    }
    const file = this.#environment[`${variable}_FILE`]
    if (file === undefined) return null
    this.sources.set(name, `${variable}_FILE`)
    return valueInFile(`${variable}_FILE`, file)
  }

  #ofFiles(name: string): Evaluation | null {
    const definition = this.#definitions.get(name)
    if (definition === undefined) return null
    this.sources.set(name, `${definition.file}:${definition.line}`)
    return definition.value
  }

  /** Adds a fault. */
  refuse(name: string, message: string): void {
    const { file, line } = this.#definitions.get(name) ?? {}
    this.#faults.push({ name, place: file === undefined || line === undefined ? null : { file, line }, message })
  }
}

/** The content of the file that a variable of the environment names, without the line breaks at its end. */
export function valueInFile(variable: string, file: string): Evaluation {
  try {
    return knownValue(readSource(file).text.replace(/[\r\n]+$/, ''))
  } catch (error) {
    return unknownValue(`the file of ${variable} cannot be read: ${readFailure(error)}`)
  }
}
