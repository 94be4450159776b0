import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/**
 * The name of a file or folder in a path. Hidden names and `..` begin with a dot and are refused. `\` and `:` are
 * refused because Windows reads them as separators.
 */
// eslint-disable-next-line no-control-regex -- control characters are what is refused
const safeName = /^[^./\\:\x00-\x1f\x7f][^/\\:\x00-\x1f\x7f]*$/

/** Names that Windows reads as a device, in every folder and with any extension. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.| *$)/i

/** Whether a name can only be that of a file or folder which is not hidden, on the platform of this process. */
export const isSafeName = (name: string): boolean => isSafeOn(process.platform, name)

export function isSafeOn(platform: NodeJS.Platform, name: string): boolean {
  return safeName.test(name) && !(platform === 'win32' && deviceName.test(name))
}

/**
 * The path of a file below a folder, symbolic links resolved; null for a name that is hidden or leads out of the folder.
 * @param root absolute, symbolic links resolved. @param names the segments of the path below it.
 * @throws the error of the file system for a file that does not exist: see {@link isMissing}.
 */
export async function fileBelow(root: string, names: readonly string[]): Promise<string | null> {
  if (names.length === 0 || !names.every(isSafeName)) return null
  const real = await realpath(join(root, ...names))
  return isPublic(real, root) ? real : null
}

/**
 * Whether a resolved path is below the root and contains no hidden name. The names in the request were checked already,
 * but symbolic links and the short names of Windows resolve to other names.
 */
function isPublic(real: string, root: string): boolean {
  const start = root.endsWith(sep) ? root : root + sep
  return (
    real.startsWith(start) &&
    !real
      .slice(start.length)
      .split(sep)
      .some((name) => name.startsWith('.'))
  )
}

const missingFileCodes = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM', 'EINVAL'])

/** Whether the file system says that there is no such file, or none that this process may read. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && missingFileCodes.has(String(error.code))
}

/** A strong entity tag, by size and time of the last change. */
export const tagOfFile = ({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }): string =>
  `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`

/** Media types that may contain scripts, which run when the file is opened as a document. */
const scriptableTypes = /^image\/svg\+xml|xml\b|^text\/html\b/

/** The policy under which a browser opens a file whose scripts must not run; null for a type that has none. */
export const policyOfType = (type: string): string | null =>
  scriptableTypes.test(type) ? "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox" : null
