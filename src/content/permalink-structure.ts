import { trimCharacters } from '../php/trim.js'
import type { Site } from './site.js'

/** What stands between percent signs in a permalink structure, and what its place in a path may hold. */
const tags = {
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

export type PermalinkTag = keyof typeof tags

const tag = /%([a-z_]+)%/g

/** The option `permalink_structure`, read once: `/%year%/%postname%/`. Empty for plain links. */
export class PermalinkStructure {
  /** Whether links are addresses like `/lamp/` and not `/?p=5`. */
  readonly isPretty: boolean
  /** The fixed part before the first tag, from a slash on: `/archives/`. */
  readonly front: string
  /** Where all pretty links begin: `/index.php/` where the web server rewrites no addresses, else `/`. */
  readonly root: '/' | '/index.php/'
  /** `/` when links end with one. */
  readonly end: '' | '/'
  /** Fixed text and tags in turn, beginning with text. */
  readonly #parts: readonly string[]
  readonly #segments: readonly RegExp[]

  constructor(readonly text: string) {
    this.isPretty = text !== ''
    this.front = `/${text.slice(0, Math.max(0, text.indexOf('%')))}`.replace(/\/+/g, '/')
    this.root = /^\/*index\.php/.test(text) ? '/index.php/' : '/'
    this.end = text.endsWith('/') ? '/' : ''
    this.#parts = text.split(tag)
    this.#segments = segmentsOf(text).map(expressionOf)
  }

  uses(name: PermalinkTag): boolean {
    return this.#parts.some((part, index) => index % 2 === 1 && part === name)
  }

  /** The path of a post, given what each tag stands for; that may be nothing. */
  pathWith(valueOf: (tag: PermalinkTag) => string): string {
    let path = ''
    for (const [index, part] of this.#parts.entries()) {
      if (index % 2 === 0) path += part
      else path += isTag(part) ? valueOf(part) : `%${part}%`
    }
    const inner = trimCharacters(path, '/')
    return (inner === '' ? '' : `/${inner}`) + this.end
  }

  /** What the tags hold in a path; `null` when the path is not of this structure. */
  match(path: string): Partial<Record<PermalinkTag, string>> | null {
    const segments = segmentsOf(path)
    // Categories may be nested: theirs is the only place that takes several segments.
    const extra = this.uses('category') ? segments.length - this.#segments.length : 0
    if (!this.isPretty || extra < 0 || segments.length !== this.#segments.length + extra) return null
    const found: Partial<Record<PermalinkTag, string>> = {}
    let index = 0
    for (const expression of this.#segments) {
      if (expression.source.includes('<category>')) index += extra
      const match = expression.exec(segments[index] ?? '')
      if (match === null) return null
      Object.assign(found, match.groups)
      index += 1
    }
    return found
  }
}

const structures = new WeakMap<Site, PermalinkStructure>()

/** The site's structure, taken apart on the first use. */
export function structureOf(site: Site): PermalinkStructure {
  const known = structures.get(site)
  // A site may be known before its database has been read.
  if (known?.text === site.permalinkStructure) return known
  const read = new PermalinkStructure(site.permalinkStructure)
  structures.set(site, read)
  return read
}

/** The parts of a path between its slashes. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function expressionOf(segment: string): RegExp {
  const seen = new Set<string>()
  const parts = segment.split(/(%[a-z_]+%)/).map((part) => {
    const name = part.slice(1, -1)
    if (!part.startsWith('%') || !isTag(name)) return part.replace(/[^\w%-]/g, '\\$&')
    if (seen.has(name)) return tags[name]
    seen.add(name)
    return `(?<${name}>${tags[name]})`
  })
  return new RegExp(`^${parts.join('')}$`)
}

function isTag(name: string): name is PermalinkTag {
  return Object.hasOwn(tags, name)
}
