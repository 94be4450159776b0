/**
 * The stack at a declaration. Functions of this package come first, then the source of the declaration. The text is
 * computed when it is read, which few declarations need.
 */
export interface DeclarationSite {
  /** A text, unless a foreign `Error.prepareStackTrace` returned something else. */
  readonly stack?: unknown
}

/** The functions of this package that a stack may begin with, with the names that a bundler gave them. */
const declaringNames = new Set(['AsRestRoute', 'endpoint', captureSite.name])

/** To be called with each function that declares routes, so that {@link framesOf} leaves it out. */
export function addDeclaringFunction({ name }: { readonly name: string }): void {
  declaringNames.add(name)
}

/** @param frames how many frames are recorded: by default this function, its caller, and the source of the declaration. */
export function captureSite(frames = 3): DeclarationSite {
  const previousLimit = Error.stackTraceLimit
  Error.stackTraceLimit = frames
  const site = new Error()
  Error.stackTraceLimit = previousLimit
  return site
}

/**
 * The frames of a site from the source of the declaration on, one line each. A foreign `Error.prepareStackTrace` may have
 * left out the functions of this package.
 */
export function framesOf({ stack = '' }: DeclarationSite): string {
  const [, ...frames] = String(stack).split('\n')
  const sourceIndex = frames.findIndex((frame) => !isDeclaring(/^\s+at (?:Object\.)?(\S+) /.exec(frame)?.[1]))
  return sourceIndex < 0 ? '' : frames.slice(sourceIndex).join('\n')
}

/** Bundlers append a number to a name that occurs twice. */
function isDeclaring(name = ''): boolean {
  return declaringNames.has(name) || declaringNames.has(name.replace(/\d+$/, ''))
}
