import { trimCharacters } from '../php/trim.js'

/** The tags of a permalink structure, and the pattern that each matches in a path. */
const tagPatterns = {
  year: '[0-9]{4}',
  monthnum: '[0-9]{1,2}',
  day: '[0-9]{1,2}',
  hour: '[0-9]{1,2}',
  minute: '[0-9]{1,2}',
  second: '[0-9]{1,2}',
  post_id: '[0-9]{1,15}',
  postname: '[^/]+',
  author: '[^/]+',
  category: '[^/]+',
} as const

export type PermalinkTag = keyof typeof tagPatterns

const tagExpression = /%([a-z_]+)%/g

/** The parsed option `permalink_structure`: `/%year%/%postname%/`. Empty for plain permalinks. */
export class PermalinkStructure {
  /** True for permalinks such as `/lamp/`, false for plain permalinks such as `/?p=5`. */
  readonly isPretty: boolean
  /** The fixed text before the first tag, with a leading slash: `/archives/`. */
  readonly front: string
  /** The start of every pretty permalink: `/index.php/` for a web server without URL rewriting, else `/`. */
  readonly root: '/' | '/index.php/'
  /** The end of every pretty permalink. */
  readonly end: '' | '/'
  /** Fixed texts at even indexes, names of tags at odd indexes. */
  readonly #parts: readonly string[]
  readonly #segments: readonly RegExp[]

  constructor(readonly text: string) {
    this.isPretty = text !== ''
    this.front = `/${text.slice(0, Math.max(0, text.indexOf('%')))}`.replace(/\/+/g, '/')
    this.root = /^\/*index\.php/.test(text) ? '/index.php/' : '/'
    this.end = text.endsWith('/') ? '/' : ''
    this.#parts = text.split(tagExpression)
    this.#segments = segmentsOf(text).map(expressionOf)
  }

  /** Whether the structure contains a tag. */
  uses(name: PermalinkTag): boolean {
    return this.#parts.some((part, index) => index % 2 === 1 && part === name)
  }

  /** The path of a post. @param valueOf the text that replaces a tag; it may be empty. */
  pathWith(valueOf: (tag: PermalinkTag) => string): string {
    let path = ''
    for (const [index, part] of this.#parts.entries()) {
      if (index % 2 === 0) path += part
      else path += isTag(part) ? valueOf(part) : `%${part}%`
    }
    const inner = trimCharacters(path, '/')
    return (inner === '' ? '' : `/${inner}`) + this.end
  }

  /** The values of the tags in a path; `null` when the path does not match the structure. */
  match(path: string): Partial<Record<PermalinkTag, string>> | null {
    const segments = segmentsOf(path)
    // Categories may be nested, so `%category%` is the only tag that matches several segments.
    const extra = this.uses('category') ? segments.length - this.#segments.length : 0
    if (!this.isPretty || extra < 0 || segments.length !== this.#segments.length + extra) return null
    const values: Partial<Record<PermalinkTag, string>> = {}
    let index = 0
    for (const expression of this.#segments) {
      if (expression.source.includes('<category>')) index += extra
      const match = expression.exec(segments[index] ?? '')
      if (match === null) return null
      Object.assign(values, match.groups)
      index += 1
    }
    return values
  }
}

/** The segments of a path, without empty ones. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** The expression that matches a segment of a path, with a named group for each tag. */
function expressionOf(segment: string): RegExp {
  // A group name may occur only once, so a repeated tag has no group.
  const groupNames = new Set<string>()
  const parts = segment.split(/(%[a-z_]+%)/).map((part) => {
    const name = part.slice(1, -1)
    if (!part.startsWith('%') || !isTag(name)) return part.replace(/[^\w%-]/g, '\\$&')
    if (groupNames.has(name)) return tagPatterns[name]
    groupNames.add(name)
    return `(?<${name}>${tagPatterns[name]})`
  })
  return new RegExp(`^${parts.join('')}$`)
}

function isTag(name: string): name is PermalinkTag {
  return Object.hasOwn(tagPatterns, name)
}
