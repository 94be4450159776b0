import { toInteger } from '../php/cast.js'
import { withoutTrailingSlashes } from '../php/trim.js'
import type { OptionRows } from '../database/storage.js'
import { storedTimeZone, type TimeZone } from './time-zone.js'

/** What a service reads from the table of options when it starts. */
// Rules: docs/wire.md#site-options.
export interface Site {
  /** Absolute, without a trailing slash: what links begin with. */
  readonly home: string
  /** Absolute, without a trailing slash. Names the cookies. */
  readonly siteurl: string
  readonly name: string
  readonly description: string
  /** `/%postname%/`; empty for plain links (`?p=5`). */
  readonly permalinkStructure: string
  /** As WordPress stores it; empty when only an offset is set. */
  readonly timezoneString: string
  /** Hours, as text: `0`, `5.5`, `-3`. */
  readonly gmtOffset: string
  readonly timeZone: TimeZone
  /** Id of the category that a post without one gets; 0 for none. */
  readonly defaultCategory: number
  readonly defaultCommentStatus: string
  readonly defaultPingStatus: string
  /** Id of the page shown at `/`; 0 when the latest posts are. */
  readonly frontPage: number
  /** As stored, whether it counts or not: `posts` or `page`. */
  readonly showOnFront: string
  /** Ids as stored, whether they count or not; 0 for none. */
  readonly pageOnFront: number
  readonly pageForPosts: number
  /** How many records a list has that does not say; -1 for all. */
  readonly postsPerPage: number
}

/** What a new site has, until somebody says otherwise. */
export const siteDefaults = {
  blogname: '',
  blogdescription: '',
  blog_charset: 'UTF-8',
  permalink_structure: '/%postname%/',
  timezone_string: '',
  gmt_offset: '0',
  default_category: '1',
  default_comment_status: 'open',
  default_ping_status: 'open',
  show_on_front: 'posts',
  page_on_front: '0',
  page_for_posts: '0',
  posts_per_page: '10',
} as const

/** The rows that {@link siteFrom} reads. */
export const siteOptionNames: readonly string[] = ['siteurl', 'home', ...Object.keys(siteDefaults)]

/**
 * The site that the table of options describes.
 * @param stored the rows of {@link siteOptionNames}.
 * @param address what links begin with, whatever the table says (boot option `base_url`).
 */
export function siteFrom(stored: ReadonlyMap<string, string>, address?: string): Site {
  const text = (name: keyof typeof siteDefaults): string => stored.get(name) ?? siteDefaults[name]
  const [storedHome, storedUrl] = [addressIn(stored, 'home'), addressIn(stored, 'siteurl')]
  const siteurl = withoutTrailingSlashes(address ?? (storedUrl || storedHome))
  const timezoneString = text('timezone_string')
  const gmtOffset = text('gmt_offset')
  return {
    siteurl,
    home: withoutTrailingSlashes(address ?? (storedHome || siteurl)),
    name: text('blogname'),
    description: text('blogdescription'),
    permalinkStructure: text('permalink_structure'),
    timezoneString,
    gmtOffset,
    timeZone: storedTimeZone(timezoneString, gmtOffset),
    defaultCategory: Number(text('default_category')) || 0,
    defaultCommentStatus: text('default_comment_status'),
    defaultPingStatus: text('default_ping_status'),
    frontPage: text('show_on_front') === 'page' ? Number(text('page_on_front')) || 0 : 0,
    showOnFront: text('show_on_front'),
    pageOnFront: toInteger(text('page_on_front')),
    pageForPosts: toInteger(text('page_for_posts')),
    postsPerPage: toInteger(text('posts_per_page')) || 1,
  }
}

/** The two options that hold the site's addresses. */
export const addressOptions = ['home', 'siteurl'] as const

/**
 * An address as it is stored; empty where there is none, also where what is stored is none, such as `shop.example`: that
 * must not keep a service from answering.
 */
export function addressIn(stored: ReadonlyMap<string, string>, name: (typeof addressOptions)[number]): string {
  const address = stored.get(name) ?? ''
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : ''
}

/** Writes what a new site has into a database that does not say yet. Nothing that is there changes. */
export async function writeSiteDefaults(
  options: OptionRows,
  given: {
    readonly siteurl?: string | undefined
    readonly name?: string | undefined
    readonly description?: string | undefined
    readonly timezone?: string | undefined
    readonly permalink_structure?: string | undefined
  } = {},
): Promise<void> {
  const { siteurl, name, description, timezone } = given
  const rows: Record<string, string | undefined> = {
    ...siteDefaults,
    siteurl,
    home: siteurl,
    blogname: name ?? siteDefaults.blogname,
    blogdescription: description ?? siteDefaults.blogdescription,
    timezone_string: timezone ?? siteDefaults.timezone_string,
    permalink_structure: given.permalink_structure ?? siteDefaults.permalink_structure,
  }
  for (const [option, value] of Object.entries(rows)) if (value !== undefined) await options.writeOnce(option, value)
}
