import { mediaTypeOf } from '../http/content-type.js'
import { mediaTypeOfName, unknownMediaType } from '../http/media-types.js'
import { ReceivedFile } from '../http/uploaded-file.js'
import { allowedExtensions } from '../sanitizers/file-extensions.js'
import type { CompiledType, Rules } from './compiled-type.js'
import { fileTooLarge, fileTypeRefused, notOfType } from './problems.js'

const isFile = (value: unknown): value is ReceivedFile => value instanceof ReceivedFile

/** Whether a value is a media type, or a range such as `image/*`. */
export const isMediaRange = (value: unknown): boolean =>
  typeof value === 'string' && /^[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+)$/.test(value)

/** `type: file`: an uploaded file. No text of a form, a query or JSON is accepted. */
export function fileTypeChecks({ media_types: ranges, max_size: limit }: Rules): CompiledType {
  const allowed = Array.isArray(ranges) ? ranges.map((range) => String(range).toLowerCase()) : null
  return {
    validate(value, path) {
      if (!isFile(value)) return notOfType(path, 'file')
      if (typeof limit === 'number' && value.size > limit) return fileTooLarge(path, limit)
      const refusedType = allowed && refusedTypeOf(value, allowed)
      return refusedType && allowed ? fileTypeRefused(path, refusedType, allowed) : null
    },
    coerce: (value, path, coercion) => (isFile(value) ? value : coercion.add(notOfType(path, 'file'))),
  }
}

/**
 * The media type by which a file is refused; null when it is accepted. Both the type that belongs to the extension, by which a
 * stored file is served, and the type that the client has sent must be allowed. A file without an extension, and one whose
 * extension is harmless but has no type here, is checked by the sent type alone; when the client sends no type, or
 * `application/octet-stream`, the extension alone is checked.
 */
function refusedTypeOf({ name, type }: ReceivedFile, allowed: readonly string[]): string | null {
  const typeOfName = mediaTypeOf(mediaTypeOfName(name)) ?? unknownMediaType
  const sentType = type === '' ? unknownMediaType : type.toLowerCase()
  const types = [typeOfName, sentType].filter((each) => each !== unknownMediaType)
  if (types.length === 0 || (typeOfName === unknownMediaType && !isHarmlessName(name))) types.unshift(unknownMediaType)
  return types.find((each) => !allowed.some((range) => isWithin(each, range))) ?? null
}

/** Whether a name has no extension, or one that every user of WordPress may upload. */
function isHarmlessName(name: string): boolean {
  const extension = /\.([^.]*)$/.exec(name)?.[1]
  return extension === undefined || allowedExtensions.has(extension.toLowerCase())
}

/** One media type of RFC 9110, without parameters. */
const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/

/** A list of types, such as `image/png, text/html`, is within no range. */
const isWithin = (type: string, range: string): boolean =>
  range.endsWith('/*') ? type.startsWith(range.slice(0, -1)) && mediaType.test(type) : type === range
