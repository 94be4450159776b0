import { RestError } from './rest-error.js'
import { ReceivedFile, type UploadContext } from './uploaded-file.js'
import type { ParameterMap } from './variables.js'

/** Gives each file of a form the context that it needs to be saved. @param files as PHP's `$_FILES`. @returns `files`. */
export function filesWithContext(files: ParameterMap, context: UploadContext): ParameterMap {
  for (const field of Object.values(files))
    for (const file of leavesOf(memberOf(field, 'file'))) if (file instanceof ReceivedFile) file.context = context
  return files
}

/**
 * The files of a field, in order; those of `f[]` and `f[k]` belong to the field `f`. A field without a selected file has none.
 * @throws RestError 400 `rest_upload_incomplete` for a file that was cut off.
 */
export function filesOfField(files: ParameterMap, field: string): ReceivedFile[] {
  const entry = Object.hasOwn(files, field) ? files[field] : undefined
  if (leavesOf(memberOf(entry, 'error')).includes(truncated)) throw incomplete(field)
  return leavesOf(memberOf(entry, 'file')).filter((file) => file instanceof ReceivedFile)
}

/** PHP's `UPLOAD_ERR_PARTIAL`: the file was cut off. */
const truncated = 3

const memberOf = (field: unknown, name: 'file' | 'error'): unknown => (field as ParameterMap | undefined)?.[name]

/** The values in nested lists and maps. */
function leavesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof ReceivedFile) return [value]
  return Object.values(value).flatMap(leavesOf)
}

function incomplete(field: string): RestError {
  return new RestError('rest_upload_incomplete', `The upload '${field}' was cut off.`, { status: 400 })
}
