import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CookieSettings } from '../auth/login-cookies.js'
import { fault, type Fault } from '../base/fault.js'
import {
  addressOfDatabase,
  readWordPressConfig,
  WordPressConfigError,
  type Environment,
  type WordPressConfig,
} from '../wordpress/wordpress-config.js'
import { pathOf } from './option-values.js'
import type { BootOptions, ResolvedOptions } from './options.js'

/** Settings of an existing WordPress site, which take the place of options. */
export interface SiteOfWordPress {
  readonly options: Pick<
    ResolvedOptions,
    'database' | 'table_prefix' | 'secrets' | 'environment' | 'wordpressConfig' | 'companion'
  >
  readonly faults: readonly Fault[]
}

/** The options that a site has in wp-config.php and in its database. */
const optionsOfSite = ['table_prefix', 'base_url', 'secrets'] as const

/**
 * Reads wp-config.php in place of the options for the data.
 * @param otherOptions the options besides `wordpress`.
 */
export function siteOfWordPress(
  { config: path, companion }: NonNullable<BootOptions['wordpress']>,
  otherOptions: BootOptions,
  environment: Environment,
): SiteOfWordPress | readonly Fault[] {
  let config: WordPressConfig
  try {
    config = readWordPressConfig(pathOf(path), environment)
  } catch (error) {
    if (!(error instanceof WordPressConfigError)) throw error
    return error.faults.map(({ place, message }) =>
      fault('wordpress-config-invalid', place === null ? message : `${place.file}:${place.line}: ${message}`),
    )
  }
  return {
    options: {
      database: addressOfDatabase(config.database),
      table_prefix: config.prefix,
      secrets: config.secrets,
      environment: otherOptions.environment ?? config.environmentType,
      wordpressConfig: config,
      companion: companionOf(companion ?? environment['WORDPRESS_COMPANION'], config),
    },
    faults: [...faultsOfSite(config), ...conflicts(otherOptions)],
  }
}

/** The file of the companion plugin in a site; null where it is not. */
export function companionFile({ contentFolder }: Pick<WordPressConfig, 'contentFolder'>): string | null {
  const file = contentFolder === null ? null : join(contentFolder, 'mu-plugins', 'as-rest-route.php')
  return file !== null && existsSync(file) ? file : null
}

function companionOf(address: string | false | undefined, config: WordPressConfig): ResolvedOptions['companion'] {
  if (address === false || address === 'off') return null
  if (address !== undefined && address !== '') return { address }
  return companionFile(config) === null ? null : { address: null }
}

function faultsOfSite({ isMultisite, database: { charset } }: WordPressConfig): Fault[] {
  const faults: Fault[] = []
  if (isMultisite)
    faults.push(
      fault('wordpress-multisite', 'the site is a network (MULTISITE), which is not supported. Use a single site.'),
    )
  const problem = charsetProblem(charset)
  if (problem !== null) faults.push(fault('wordpress-charset', problem))
  return faults
}

/** Why a service cannot read the texts of a site with this DB_CHARSET; null where it can. */
export function charsetProblem(charset: string | null): string | null {
  if (charset === null || /^(?:utf8(?:mb[34])?)?$/i.test(charset)) return null
  return `DB_CHARSET is '${charset}': WordPress has sent UTF-8 and called it ${charset}, so that the database has other texts than its pages show. Copy the site into a database in utf8mb4 as docs/wordpress.md#serving-on-its-database says (CONVERT TO would spoil the texts), and define DB_CHARSET 'utf8mb4'.`
}

function conflicts(otherOptions: BootOptions): Fault[] {
  return optionsOfSite
    .filter((name) => otherOptions[name] !== undefined)
    .map((name) =>
      fault('wordpress-conflict', `with it, '${name}' is that of the WordPress site. Remove the option '${name}'.`),
    )
}

/** The settings of cookies in the constants of a site. */
export function cookieSettingsOf({ cookies }: WordPressConfig): CookieSettings {
  const { names } = cookies
  return {
    hash: cookies.hash ?? undefined,
    auth: names.AUTH_COOKIE ?? undefined,
    secureAuth: names.SECURE_AUTH_COOKIE ?? undefined,
    loggedIn: names.LOGGED_IN_COOKIE ?? undefined,
    test: names.TEST_COOKIE ?? undefined,
    domain: cookies.domain ?? undefined,
    path: cookies.path ?? undefined,
    sitePath: cookies.sitePath ?? undefined,
    adminPath: cookies.adminPath ?? undefined,
    pluginsPath: cookies.pluginsPath ?? undefined,
  }
}

/** The options of a site with the addresses that its constants define, which win in WordPress. */
export function withConstants(
  options: ReadonlyMap<string, string>,
  { home, siteurl }: Pick<WordPressConfig, 'home' | 'siteurl'>,
): ReadonlyMap<string, string> {
  const all = new Map(options)
  if (home !== null) all.set('home', home)
  if (siteurl !== null) all.set('siteurl', siteurl)
  return all
}
