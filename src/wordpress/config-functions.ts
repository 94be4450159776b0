import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { asciiLowerCase } from '../php/ascii-case.js'
import { encodeText } from '../php/text.js'
import type { ConfigPlace, ConfigScope } from './config-scope.js'
import { valueInFile } from './config-settings.js'
import { known, scalarText, truth, unknown, type Mode, type Read } from './config-values.js'

/** A call in the code of a configuration. */
export interface Call {
  readonly values: readonly Read[]
  readonly scope: ConfigScope
  readonly place: ConfigPlace
  readonly mode: Mode
}

type PhpFunction = (call: Call) => Read

/** The functions of PHP that a configuration is read with, by their names in lower case. No other one is called. */
const functions: Readonly<Record<string, PhpFunction>> = {
  define: ({ values: [name, value = unknown('it has no value')], scope, place, mode }: Call) => {
    if (name?.isKnown === true) scope.define(scalarText(name.value), value, place, mode)
    else scope.markUnread(place, 'defines a constant whose name cannot be read', mode)
    return known(true)
  },
  defined: ({ values: [name], scope }: Call) => {
    if (name?.isKnown !== true) return name ?? unknown('it names no constant')
    const text = scalarText(name.value)
    const isDefined = scope.isDefined(text)
    return isDefined === null ? unknown(scope.doubt(text)) : known(isDefined)
  },
  constant: ({ values: [name], scope, place }: Call) =>
    name?.isKnown === true ? constantOf(scalarText(name.value), place, scope) : unknown('it names no constant'),
  getenv: ofEnvironment,
  // Of the package oscarotero/env, as Bedrock uses it.
  env: ofEnvironment,
  getenv_docker: ofDocker,
  dirname: ({ values: [path, levels = known(1)] }: Call) => {
    if (path?.isKnown !== true) return path ?? unknown('it names no path')
    if (!levels.isKnown) return levels
    const count = Math.min(Number(levels.value), 100)
    let folder = scalarText(path.value)
    for (let level = 0; level < count; level += 1) folder = dirname(folder)
    return known(folder)
  },
  file_exists: fileExists,
  is_file: fileExists,
  is_readable: fileExists,
  md5: ({ values: [text] }: Call) =>
    text?.isKnown === true
      ? known(
          createHash('md5')
            .update(encodeText(scalarText(text.value)))
            .digest('hex'),
        )
      : (text ?? unknown('it hashes nothing')),
  empty: ({ values: [value] }: Call) => {
    const isTrue = value === undefined ? null : truth(value)
    return isTrue === null ? unknown(value?.isKnown === false ? value.reason : 'it tests nothing') : known(!isTrue)
  },
}

export const phpFunctions: ReadonlyMap<string, PhpFunction> = new Map(Object.entries(functions))

/** Constants of PHP that configurations use. */
const phpConstants: ReadonlyMap<string, Read> = new Map([
  ['PHP_EOL', known('\n')],
  ['DIRECTORY_SEPARATOR', known('/')],
  ['MYSQLI_CLIENT_SSL', known(2048)],
  ['MYSQLI_CLIENT_COMPRESS', known(32)],
  ['MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT', known(64)],
  ['MINUTE_IN_SECONDS', known(60)],
  ['HOUR_IN_SECONDS', known(3600)],
  ['DAY_IN_SECONDS', known(86_400)],
])

/** @param place where the constant is used. */
export function constantOf(name: string, place: ConfigPlace, scope: ConfigScope): Read {
  switch (asciiLowerCase(name)) {
    case 'true':
      return known(true)
    case 'false':
      return known(false)
    case 'null':
      return known(null)
    case '__dir__':
      return known(dirname(place.file))
    case '__file__':
      return known(place.file)
    case '__line__':
      return known(place.line)
    default: {
      const value = scope.constants.get(name)?.value ?? phpConstants.get(name)
      return value ?? unknown(`it uses the constant ${name}, which the file does not define`)
    }
  }
}

function ofEnvironment({ values: [name], scope }: Call): Read {
  if (name === undefined) return unknown('it uses the whole environment')
  return name.isKnown ? scope.variableOfEnvironment(scalarText(name.value)) : name
}

/**
 * The function `getenv_docker` of the wp-config.php of Docker's image: `X_FILE` names a file with the value, else `X`
 * is it, else the default.
 */
function ofDocker({ values: [name, otherwise = known(null)], scope }: Call): Read {
  if (name?.isKnown !== true) return name ?? unknown('it names no variable')
  const variable = scalarText(name.value)
  const file = scope.environment[`${variable}_FILE`]
  if (file !== undefined) return valueInFile(`${variable}_FILE`, file)
  const text = scope.environment[variable]
  return text === undefined ? otherwise : known(text)
}

function fileExists({ values: [path], scope, place }: Call): Read {
  if (path?.isKnown !== true) return path ?? unknown('it names no file')
  return scope.fileExists(scalarText(path.value), place.file)
}
