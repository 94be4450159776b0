import type { BootOptions } from '../../src/app/options.js'

/**
 * Boot options from `OPTION=VALUE` texts. A value is JSON when it parses, else text; of equal options the last one wins.
 * Whether an option exists and takes the value is for `boot` to say.
 * @throws Error for a text without `=`, and for the option `database`: the fixtures are written into an empty one only.
 */
export function bootOptions(settings: readonly string[]): BootOptions {
  return Object.fromEntries(settings.map(optionAndValue))
}

function optionAndValue(setting: string): [option: string, value: unknown] {
  const [, option, value] = /^([^=]+)=(.*)$/s.exec(setting) ?? []
  if (option === undefined || value === undefined)
    throw new Error(`A boot option is written OPTION=VALUE, not '${setting}'.`)
  if (option === 'database') throw new Error('The database is named by --database, not by a boot option.')
  return [option, jsonOrText(value)]
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
