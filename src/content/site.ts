import { toBoolean, toInteger } from '../php/cast.js'
import { withoutTrailingSlashes } from '../php/trim.js'
import type { OptionRows } from '../database/storage.js'
import { PermalinkStructure } from './permalink-structure.js'
import { storedTimeZone, type TimeZone } from './time-zone.js'

// Rules: docs/wire.md#site-options.

/** The site options that a service reads from the table `options` when it starts. */
export interface Site {
  /** The start of every permalink. Absolute, without a trailing slash. */
  readonly home: string
  /**
   * The start of the addresses of the login and administration pages. Absolute, without a trailing slash. The names of the
   * login cookies depend on it.
   */
  readonly siteurl: string
  /** Whether the login and administration pages have addresses with `https`, whatever `siteurl` begins with. */
  readonly forcesTls: boolean
  readonly name: string
  readonly description: string
  /** `/%postname%/`; its text is empty for plain permalinks (`?p=5`). */
  readonly permalinkStructure: PermalinkStructure
  /** The first part of the paths of categories; empty for `category` below the fixed part of the permalink structure. */
  readonly categoryBase: string
  /** The first part of the paths of tags; empty for `tag` below the fixed part of the permalink structure. */
  readonly tagBase: string
  /** The name of the time zone, `Europe/Berlin`; empty when the site has only an offset. */
  readonly timezoneString: string
  /** Hours, as a text: `0`, `5.5`, `-3`. */
  readonly gmtOffset: string
  readonly timeZone: TimeZone
  /** The id of the category of posts without a category; 0 for none. */
  readonly defaultCategory: number
  readonly defaultCommentStatus: string
  readonly defaultPingStatus: string
  /** Whether published posts are to tell the sites that they link to. */
  readonly sendsPingbacks: boolean
  /** The id of the page at `/`; 0 when `/` shows the latest posts. */
  readonly frontPage: number
  /** The stored option: `posts` or `page`. */
  readonly showOnFront: string
  /** The stored id; 0 for none. It is used only when `showOnFront` is `page`, see `frontPage`. */
  readonly pageOnFront: number
  /** The stored id; 0 for none. */
  readonly pageForPosts: number
  /** The default of `per_page`; -1 for all records. */
  readonly postsPerPage: number
  /** The version of WordPress's tables, such as 61833; infinite in a database of the service's own. */
  readonly dbVersion: number
}

/** The options of a new site. */
export const siteDefaults = {
  blogname: '',
  blogdescription: '',
  blog_charset: 'UTF-8',
  permalink_structure: '/%postname%/',
  category_base: '',
  tag_base: '',
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

/** An option that a site of our own does not have. */
const pingbackOption = 'default_pingback_flag'

/** An option of a WordPress site alone. */
const versionOption = 'db_version'

/** The version of WordPress's tables as it is stored now, for writes that depend on it; NaN in a database of the service's own. */
export async function storedDbVersion({ options }: { readonly options: OptionRows }): Promise<number> {
  return Number((await options.readMany([versionOption])).get(versionOption))
}

/** The names of the options that {@link siteFrom} reads. */
export const siteOptionNames: readonly string[] = [
  'siteurl',
  'home',
  pingbackOption,
  versionOption,
  ...Object.keys(siteDefaults),
]

/**
 * The site with these options. Missing options have their defaults.
 * @param options the stored options {@link siteOptionNames}, by name.
 * @param baseUrl the boot option `base_url`, which replaces both stored addresses.
 * @param forceSslAdmin FORCE_SSL_ADMIN of a WordPress site; null where it is not defined. Default: false.
 */
export function siteFrom(
  options: ReadonlyMap<string, string>,
  baseUrl?: string,
  forceSslAdmin: boolean | null = false,
): Site {
  const text = (name: keyof typeof siteDefaults): string => options.get(name) ?? siteDefaults[name]
  const [storedHome, storedUrl] = [addressIn(options, 'home'), addressIn(options, 'siteurl')]
  const siteurl = withoutTrailingSlashes(baseUrl ?? (storedUrl || storedHome))
  const timezoneString = text('timezone_string')
  const gmtOffset = text('gmt_offset')
  return {
    siteurl,
    home: withoutTrailingSlashes(baseUrl ?? (storedHome || siteurl)),
    forcesTls: forceSslAdmin ?? /^https:/i.test(siteurl),
    name: text('blogname'),
    description: text('blogdescription'),
    permalinkStructure: new PermalinkStructure(text('permalink_structure')),
    categoryBase: text('category_base'),
    tagBase: text('tag_base'),
    timezoneString,
    gmtOffset,
    timeZone: storedTimeZone(timezoneString, gmtOffset),
    defaultCategory: Number(text('default_category')) || 0,
    defaultCommentStatus: text('default_comment_status'),
    defaultPingStatus: text('default_ping_status'),
    sendsPingbacks: toBoolean(options.get(pingbackOption) ?? '1'),
    frontPage: text('show_on_front') === 'page' ? Number(text('page_on_front')) || 0 : 0,
    showOnFront: text('show_on_front'),
    pageOnFront: toInteger(text('page_on_front')),
    pageForPosts: toInteger(text('page_for_posts')),
    postsPerPage: toInteger(text('posts_per_page')) || 1,
    dbVersion: Number(options.get(versionOption) ?? Infinity),
  }
}

/** The options that contain the addresses of the site. */
export const addressOptions = ['home', 'siteurl'] as const

/**
 * A stored address. It is empty when the option is missing or not a URL, such as `shop.example`: a wrong option must not
 * stop the service.
 */
export function addressIn(options: ReadonlyMap<string, string>, name: (typeof addressOptions)[number]): string {
  const address = options.get(name) ?? ''
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : ''
}

/** Writes the options of a new site into the database. Options that exist do not change. */
export async function writeSiteDefaults(
  options: OptionRows,
  settings: {
    readonly siteurl?: string | undefined
    readonly name?: string | undefined
    readonly description?: string | undefined
    readonly timezone?: string | undefined
    readonly permalink_structure?: string | undefined
  } = {},
): Promise<void> {
  const { siteurl, name, description, timezone } = settings
  const rows: Record<string, string | undefined> = {
    ...siteDefaults,
    siteurl,
    home: siteurl,
    blogname: name ?? siteDefaults.blogname,
    blogdescription: description ?? siteDefaults.blogdescription,
    timezone_string: timezone ?? siteDefaults.timezone_string,
    permalink_structure: settings.permalink_structure ?? siteDefaults.permalink_structure,
  }
  for (const [option, value] of Object.entries(rows)) if (value !== undefined) await options.writeOnce(option, value)
}
