import { mediaTypeOf } from '../http/content-type.js'
import { mediaTypeOfName, unknownMediaType } from '../http/media-types.js'
import { ReceivedFile } from '../http/uploaded-file.js'
import type { CompiledType, Rules } from './compiled-type.js'
import { fileTooLarge, fileTypeRefused, notOfType } from './problems.js'

const isFile = (value: unknown): value is ReceivedFile => value instanceof ReceivedFile

/** Whether a text is a media type, or `image/*`. */
export const isMediaRange = (value: unknown): boolean =>
  typeof value === 'string' && /^[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+)$/.test(value)

/** `type: file`: an uploaded file. A text is none, whatever it contains. */
export function fileTypeChecks({ media_types: ranges, max_size: limit }: Rules): CompiledType {
  const allowed = Array.isArray(ranges) ? ranges.map((range) => String(range).toLowerCase()) : null
  return {
    validate(value, path) {
      if (!isFile(value)) return notOfType(path, 'file')
      if (typeof limit === 'number' && value.size > limit) return fileTooLarge(path, limit)
      const refused = allowed && refusedTypeOf(value, allowed)
      return refused && allowed ? fileTypeRefused(path, refused, allowed) : null
    },
    coerce: (value, path, coercion) => (isFile(value) ? value : coercion.add(notOfType(path, 'file'))),
  }
}

/**
 * The media type by which a file is refused; null when it is accepted. The extension decides how a stored file is served, so
 * that it must be allowed, where it is known. So must be what the client says, unless it says that it does not know.
 */
function refusedTypeOf({ name, type }: ReceivedFile, allowed: readonly string[]): string | null {
  const byName = mediaTypeOf(mediaTypeOfName(name)) ?? unknownMediaType
  const sent = type === '' ? unknownMediaType : type.toLowerCase()
  const types = [byName, sent].filter((each) => each !== unknownMediaType)
  if (types.length === 0) types.push(unknownMediaType)
  return types.find((each) => !allowed.some((range) => isWithin(each, range))) ?? null
}

const isWithin = (type: string, range: string): boolean =>
  range.endsWith('/*') ? type.startsWith(range.slice(0, -1)) : type === range
