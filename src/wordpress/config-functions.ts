import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { asciiLowerCase } from '../php/ascii-case.js'
import { encodeText } from '../php/text.js'
import type { ConfigPlace, ConfigScope } from './config-scope.js'
import { valueInFile } from './config-settings.js'
import {
  knownValue,
  scalarText,
  truth,
  unknownValue,
  unsetText,
  withUnset,
  type Mode,
  type Evaluation,
} from './config-values.js'

/** A call in the code of a configuration. */
export interface Call {
  readonly values: readonly Evaluation[]
  readonly scope: ConfigScope
  readonly place: ConfigPlace
  readonly mode: Mode
}

type PhpFunction = (call: Call) => Evaluation

/** The functions that are evaluated, by name in lower case. The result of any other function is unknown. */
const functions: Readonly<Record<string, PhpFunction>> = {
  define: ({ values: [name, value = unknownValue('it has no value')], scope, place, mode }: Call) => {
    if (name?.isKnown === true) scope.define(scalarText(name.value), value, place, mode)
    else scope.markUnread(place, 'defines a constant whose name cannot be read', mode)
    return knownValue(true)
  },
  defined: ({ values: [name], scope }: Call) => {
    if (name?.isKnown !== true) return name ?? unknownValue('it names no constant')
    const text = scalarText(name.value)
    const isDefined = scope.isDefined(text)
    return isDefined === null ? unknownValue(scope.whyUnknown(text)) : knownValue(isDefined)
  },
  constant: ({ values: [name], scope, place }: Call) =>
    name?.isKnown === true ? constantOf(scalarText(name.value), place, scope) : unknownValue('it names no constant'),
  getenv: ofEnvironment,
  env: ofEnvPackage,
  getenv_docker: ofDocker,
  dirname: ({ values: [path, levels = knownValue(1)] }: Call) => {
    if (path?.isKnown !== true) return path ?? unknownValue('it names no path')
    if (!levels.isKnown) return levels
    const count = Math.min(Number(levels.value), 100)
    let folder = scalarText(path.value)
    for (let level = 0; level < count; level += 1) folder = dirname(folder)
    return withUnset(knownValue(folder), path)
  },
  file_exists: fileExists,
  is_file: fileExists,
  is_readable: fileExists,
  md5: ({ values: [text] }: Call) =>
    text?.isKnown === true
      ? withUnset(
          knownValue(
            createHash('md5')
              .update(encodeText(scalarText(text.value)))
              .digest('hex'),
          ),
          text,
        )
      : (text ?? unknownValue('it hashes nothing')),
  empty: ({ values: [value] }: Call) => {
    const isTrue = value === undefined ? null : truth(value)
    return isTrue === null
      ? unknownValue(value?.isKnown === false ? value.reason : 'it tests nothing')
      : knownValue(!isTrue)
  },
}

export const phpFunctions: ReadonlyMap<string, PhpFunction> = new Map(Object.entries(functions))

/** Constants of PHP and of WordPress that configurations use. */
const phpConstants: ReadonlyMap<string, Evaluation> = new Map([
  ['PHP_EOL', knownValue('\n')],
  ['DIRECTORY_SEPARATOR', knownValue('/')],
  ['MYSQLI_CLIENT_SSL', knownValue(2048)],
  ['MYSQLI_CLIENT_COMPRESS', knownValue(32)],
  ['MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT', knownValue(64)],
  ['MINUTE_IN_SECONDS', knownValue(60)],
  ['HOUR_IN_SECONDS', knownValue(3600)],
  ['DAY_IN_SECONDS', knownValue(86_400)],
])

/** @param place where the constant is used. */
export function constantOf(name: string, place: ConfigPlace, scope: ConfigScope): Evaluation {
  switch (asciiLowerCase(name)) {
    case 'true':
      return knownValue(true)
    case 'false':
      return knownValue(false)
    case 'null':
      return knownValue(null)
    case '__dir__':
      return knownValue(dirname(place.file))
    case '__file__':
      return knownValue(place.file)
    case '__line__':
      return knownValue(place.line)
    default: {
      const value = scope.constants.get(name)?.value ?? phpConstants.get(name)
      return value ?? unknownValue(`it uses the constant ${name}, which the file does not define`)
    }
  }
}

function ofEnvironment({ values: [name], scope }: Call): Evaluation {
  if (name === undefined) return unknownValue('it uses the whole environment')
  return name.isKnown ? scope.variableOfEnvironment(scalarText(name.value)) : name
}

/** The function `env` of the package oscarotero/env, as Bedrock uses it, with the conversions that are on by default. */
function ofEnvPackage(call: Call): Evaluation {
  const read = ofEnvironment(call)
  if (!read.isKnown) return read
  if (read.unset !== undefined) return { ...read, value: null }
  const text = scalarText(read.value)
  const word = asciiLowerCase(text)
  if (word === 'true' || word === 'false') return knownValue(word === 'true')
  if (word === 'null') return knownValue(null)
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return knownValue(Number(text))
  return knownValue(/^(["'])[^]*\1$/.test(text) ? text.slice(1, -1) : text)
}

/**
 * The function `getenv_docker` of the wp-config.php of Docker's image: `X_FILE` names a file with the value, else `X`
 * holds it, else the default is used.
 */
function ofDocker({ values: [name, fallback = knownValue(null)], scope }: Call): Evaluation {
  if (name?.isKnown !== true) return name ?? unknownValue('it names no variable')
  const variable = scalarText(name.value)
  const file = scope.environment[`${variable}_FILE`]
  if (file !== undefined && truth(knownValue(file)) === true) return valueInFile(`${variable}_FILE`, file)
  const text = scope.environment[variable]
  return text === undefined ? fallback : knownValue(text)
}

function fileExists({ values: [path], scope, place }: Call): Evaluation {
  if (path?.isKnown !== true) return path ?? unknownValue('it names no file')
  if (path.unset !== undefined) return unknownValue(unsetText(path.unset))
  return scope.fileExists(scalarText(path.value), place.file)
}
