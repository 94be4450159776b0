import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { decodeBytes } from '../php/text.js'

/** Maximum size of a file, in bytes: much more than a wp-config.php has. */
const maxBytes = 1_048_576

export interface SourceFile {
  /** Without symbolic links, as PHP's `__FILE__`. */
  readonly path: string
  readonly text: string
}

/**
 * Reads a regular file of at most 1 MiB. Does not wait for a pipe or a device.
 * @throws Error whose message completes the sentence "… cannot be read: …".
 */
export function readSource(path: string): SourceFile {
  const real = realpathSync(path)
  const descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new Error('it is not a file')
    if (stat.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
    // One byte more than it should have, in case that it grows.
    const bytes = Buffer.alloc(maxBytes + 1)
    let length = 0
    for (let read = -1; read !== 0 && length <= maxBytes; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
    return { path: real, text: decodeBytes(bytes.subarray(0, length)) }
  } finally {
    closeSync(descriptor)
  }
}

/** The system's words for an error of the file system, without the path. */
export function readFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
      return 'there is no such file'
    case 'EACCES':
    case 'EPERM':
      return 'the user of this process may not read it'
    case 'EISDIR':
      return 'it is a folder'
    case 'ELOOP':
      return 'its symbolic links form a circle'
    default:
      return message
  }
}
