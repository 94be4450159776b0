import { isUtf8 } from '../php/text.js'
import {
  unreadText,
  type ConfigPlace,
  type ConfigScope,
  type Definition,
  type Environment,
  type UnreadCode,
} from './config-scope.js'
import { readFailure, readSource } from './config-file.js'
import {
  knownValue,
  scalarText,
  truth,
  unknownValue,
  unsetText,
  type PhpScalar,
  type Evaluation,
} from './config-values.js'

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
  readonly #scope: Pick<ConfigScope, 'unread' | 'unreadParts' | 'unreadCodeOf'>
  /** The names that were read, in this order. */
  readonly #names = new Set<string>()

  constructor(
    definitions: ReadonlyMap<string, Definition>,
    environment: Environment,
    scope: Pick<ConfigScope, 'unread' | 'unreadParts' | 'unreadCodeOf'>,
  ) {
    this.#definitions = definitions
    this.#environment = environment
    this.#scope = scope
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
    const { unread } = this.#scope
    if (unread === null) return this.#faults
    const cause = unreadText(unread)
    const doubtful = this.#faults.filter(({ message }) => message.includes(cause))
    const others = this.#faults.filter(({ message }) => !message.includes(cause))
    if (doubtful.length === 0) return others
    const variables = doubtful.map(({ name }) => variableFor(name ?? '')).join(', ')
    const message = `The file ${unread.reason}. Pass the file with the constants instead (Debian: /etc/wordpress/config-<host>.php), or set in the environment: ${variables}.`
    return [{ name: null, place: { file: unread.file, line: unread.line }, message }, ...others]
  }

  /**
   * The code that may define settings and is not read, where nothing else sets one of these. Call it when all are read. The
   * code of a file that has the same reason shares a warning.
   */
  warnings(): readonly ConfigFault[] {
    const undefinedNames = [...this.#names].filter((name) => !this.sources.has(name))
    const groups = new Map<string, UnreadCode>()
    for (const part of this.#scope.unreadParts) {
      const key = JSON.stringify([part.file, part.reason])
      const group = groups.get(key)
      const newNames = part.names.filter(
        (name) => undefinedNames.includes(name) && group?.names.includes(name) !== true,
      )
      if (group !== undefined)
        groups.set(key, {
          ...group,
          names: [...group.names, ...newNames],
          mayDefineOthers: group.mayDefineOthers || part.mayDefineOthers,
        })
      else if (part.mayDefineOthers || newNames.length > 0) groups.set(key, { ...part, names: newNames })
    }
    return [...groups.values()]
      .filter(() => undefinedNames.length > 0)
      .map(({ file, line, reason, names, mayDefineOthers }) => {
        const settings = names.length > 0 ? names : undefinedNames
        const what = names.length > 0 ? names.join(', ') : 'any constant'
        const others = names.length > 0 && mayDefineOthers ? ', and any other constant' : ''
        const message = `The file ${reason}. It may define ${what}${others}. The values are ignored: set those that it defines in the environment, as ${settings.map(variableFor).join(', ')}.`
        return { name: null, place: { file, line }, message }
      })
  }

  /** Empty when nothing defines it, which is a fault. */
  requiredText(name: string): string {
    const text = this.text(name)
    const isFaulty = this.#faults.some((fault) => fault.name === name)
    if (text !== null || isFaulty) return text ?? ''
    const unread = this.#scope.unread ?? this.#scope.unreadCodeOf(name)
    const cause = unread === null ? 'no file defines it' : unreadText(unread)
    this.refuse(name, `${name} cannot be read: ${cause}. Set ${variableFor(name)} in the environment.`)
    return ''
  }

  /** As `text`, for a value that the service can do without: null also when it cannot be read. */
  optionalText(name: string): string | null {
    this.#names.add(name)
    const setting = this.#ofEnvironment(name) ?? this.#ofFiles(name)
    return setting?.isKnown === true && setting.unset === undefined && typeof setting.value === 'string'
      ? setting.value
      : null
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
    this.#names.add(name)
    const setting = this.#ofEnvironment(name) ?? this.#ofFiles(name)
    if (setting === null) return undefined
    if (setting.isKnown && setting.unset === undefined) return setting.value
    const reason = setting.isKnown ? unsetText(setting.unset ?? '') : setting.reason
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
