import { RestError } from '../http/rest-error.js'
import type { RestRequest } from '../http/rest-request.js'
import type { UploadedFile } from '../http/uploaded-file.js'
import type { ArgumentRules, ArgumentSchema } from './rules.js'

/** The rules of the arguments that are files, by name. */
export type FileArguments = ReadonlyMap<string, ArgumentRules>

/** Whether an argument is a file, or a list of files. */
export const isFileArgument = (rules: ArgumentRules): boolean => rules.type === 'file' || rules.items?.type === 'file'

/** The value of a file argument that was sent. Several files of a field that takes one are refused by its rules. */
export const fileArgumentValue = ({ type }: ArgumentRules, files: readonly UploadedFile[]): unknown =>
  type !== 'file' || files.length > 1 ? [...files] : files[0]

/** Null when no argument is a file, as in most routes. */
export function fileArguments(args: ArgumentSchema): FileArguments | null {
  const files = Object.entries(args).filter(([, rules]) => isFileArgument(rules))
  return files.length === 0 ? null : new Map(files)
}

/**
 * Puts the files of a form among its parameters, so that they are validated and read like all other arguments. A field without a
 * file is absent.
 * @returns the error for a request of which a file was cut off; null for all others.
 */
export function takeFiles(
  fields: FileArguments,
  request: Pick<RestRequest, 'files' | 'get_body_params'>,
): RestError | null {
  const form = request.get_body_params() as Record<string, unknown>
  try {
    for (const [name, rules] of fields) {
      const files = request.files(name)
      if (files.length > 0) form[name] = fileArgumentValue(rules, files)
    }
    return null
  } catch (error) {
    if (error instanceof RestError) return error
    throw error
  }
}
