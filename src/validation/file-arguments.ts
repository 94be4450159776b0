import { RestError } from '../http/rest-error.js'
import type { RestRequest } from '../http/rest-request.js'
import type { ArgumentRules, ArgumentSchema } from './rules.js'

/** The arguments that are files, by name: whether they are a list. */
export type FileArguments = ReadonlyMap<string, { readonly isList: boolean }>

/** Whether an argument is a file, or a list of files. */
export const isFileArgument = (rules: ArgumentRules): boolean => rules.type === 'file' || rules.items?.type === 'file'

/** Null when no argument is a file, as in most routes. */
export function fileArguments(args: ArgumentSchema): FileArguments | null {
  const files = Object.entries(args).filter(([, rules]) => isFileArgument(rules))
  return files.length === 0 ? null : new Map(files.map(([name, { type }]) => [name, { isList: type !== 'file' }]))
}

/**
 * Puts the files of a form among its parameters, so that they are validated and read as all arguments are. A field without a
 * file is absent.
 * @returns why the request is refused: a file was cut off.
 */
export function takeFiles(
  fields: FileArguments,
  request: Pick<RestRequest, 'files' | 'get_body_params'>,
): RestError | null {
  const form = request.get_body_params() as Record<string, unknown>
  try {
    for (const [name, { isList }] of fields) {
      const files = request.files(name)
      // Several files of a field that takes one are refused by its rules.
      if (files.length > 0) form[name] = isList || files.length > 1 ? [...files] : files[0]
    }
    return null
  } catch (error) {
    if (error instanceof RestError) return error
    throw error
  }
}
