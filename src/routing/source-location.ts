import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { framesOf, type DeclarationSite } from './declaration-site.js'

/** A place in a source file. */
export interface SourceLocation {
  /** Absolute path. */
  readonly file: string
  readonly line: number
}

/** The place of a declaration; `null` when its stack has none. */
export function sourceLocationOf(site: DeclarationSite): SourceLocation | null {
  return locationIn(framesOf(site))
}

/**
 * The place in the application where an error comes from; `null` when its stack has none. Frames of packages and of Node are
 * skipped: the application has called the function that throws. If the stack has frames of packages only, the place is in the
 * package that threw. Frames of `as-rest-route` itself are always skipped.
 */
export function errorLocationOf({ stack }: Error): SourceLocation | null {
  const frames = String(stack)
    .split('\n')
    .slice(1)
    .filter((frame) => !/[ (]node:|[\\/]node_modules[\\/]as-rest-route[\\/]/.test(frame))
  const isInPackage = (frame: string): boolean => /[\\/]node_modules[\\/]/.test(frame)
  return locationIn(frames.filter((frame) => !isInPackage(frame)).join('\n')) ?? locationIn(frames.join('\n'))
}

/** @param frames lines of a stack. @returns the place of the first that names a file. */
function locationIn(frames: string): SourceLocation | null {
  const frame = /^\s+at .*?\(?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*?):(\d+):\d+\)?$/m.exec(frames)
  if (!frame?.[1]) return null
  const file = frame[1].startsWith('file://')
    ? fileURLToPath(frame[1].replace(/\?.*$/, ''))
    : frame[1].replace(/\?.*$/, '')
  return { file, line: Number(frame[2]) }
}

/** `app/products.ts:12`: relative to the working folder for a file below it, else absolute. */
export function sourceLocationText(location: SourceLocation | null): string {
  if (!location) return '(unknown location)'
  const relativePath = relative(process.cwd(), location.file)
  return `${relativePath.startsWith('..') ? location.file : relativePath}:${location.line}`
}
