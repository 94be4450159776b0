import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFailure, readSource } from './config-file.js'
import { ConfigScope, type ConfigPlace, type Environment } from './config-scope.js'
import { readScript } from './config-script.js'
import { ConfigSettings, variableFor, type ConfigFault } from './config-settings.js'
import { run } from './config-values.js'
import { databaseAddress, databaseHost, type DatabaseHost } from './database-host.js'
import { PhpSyntaxError } from './php-tokens.js'

export type { ConfigFault, ConfigPlace, DatabaseHost, Environment }

/** The settings in the wp-config.php of a site; null for those it does not define. */
export interface WordPressConfig {
  /** Absolute paths of all files that were read; the given one is the first. */
  readonly files: readonly string[]
  readonly database: WordPressDatabase
  /** `$table_prefix`: `wp_`. */
  readonly prefix: string
  /** AUTH_KEY, AUTH_SALT and so on by name, without those that are not defined. */
  readonly secrets: Readonly<Record<string, string>>
  /** WP_HOME. */
  readonly home: string | null
  /** WP_SITEURL. */
  readonly siteurl: string | null
  readonly cookies: WordPressCookies
  /** FORCE_SSL_ADMIN, or its old name FORCE_SSL_LOGIN. Null: where `siteurl` begins with `https`. */
  readonly forceSslAdmin: boolean | null
  /** WP_ENVIRONMENT_TYPE: `production` when it is none that WordPress knows. */
  readonly environmentType: 'local' | 'development' | 'staging' | 'production'
  /** CUSTOM_USER_TABLE. */
  readonly userTable: string | null
  /** CUSTOM_USER_META_TABLE. */
  readonly userMetaTable: string | null
  /** DISALLOW_UNFILTERED_HTML. */
  readonly disallowUnfilteredHtml: boolean
  /** EMPTY_TRASH_DAYS; WordPress's default is 30. */
  readonly emptyTrashDays: number
  /** WP_POST_REVISIONS: how many revisions a record keeps; -1 for all. */
  readonly postRevisions: number
  /** MULTISITE. */
  readonly isMultisite: boolean
  /** WP_CONTENT_DIR, else `wp-content` beside WordPress; null when its folder is not known. */
  readonly contentFolder: string | null
  /** AS_REST_ROUTE_URL: the addresses of services to which the companion plugin reports writes of PHP. */
  readonly serviceUrls: string | null
  /** By constant: `/srv/wp-config.php:12`, or the variable of the environment that it was taken from. */
  readonly sources: ReadonlyMap<string, string>
  /** The code that may define some of these settings and is not read. */
  readonly warnings: readonly ConfigFault[]
}

export interface WordPressDatabase {
  readonly name: string
  readonly user: string
  readonly password: string
  readonly host: DatabaseHost
  /** DB_CHARSET; null and '' leave the choice to WordPress. */
  readonly charset: string | null
  /** DB_COLLATE. */
  readonly collation: string | null
  /** Whether MYSQL_CLIENT_FLAGS asks for TLS. */
  readonly isEncrypted: boolean
}

/** The constants of cookies, by meaning. */
export interface WordPressCookies {
  /** COOKIEHASH. */
  readonly hash: string | null
  /** AUTH_COOKIE, SECURE_AUTH_COOKIE, LOGGED_IN_COOKIE, TEST_COOKIE: whole names. */
  readonly names: { readonly [Constant in CookieName]: string | null }
  /** COOKIE_DOMAIN. `''` and null: the host of the request alone. */
  readonly domain: string | null
  /** COOKIEPATH. */
  readonly path: string | null
  /** SITECOOKIEPATH. */
  readonly sitePath: string | null
  /** ADMIN_COOKIE_PATH. */
  readonly adminPath: string | null
  /** PLUGINS_COOKIE_PATH. */
  readonly pluginsPath: string | null
}

export type CookieName = 'AUTH_COOKIE' | 'SECURE_AUTH_COOKIE' | 'LOGGED_IN_COOKIE' | 'TEST_COOKIE'

/** SECRET_KEY and SECRET_SALT are WordPress's old names, which it still reads where the others are missing. */
const secretNames = [
  ...['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((scheme) => [`${scheme}_KEY`, `${scheme}_SALT`]),
  'SECRET_KEY',
  'SECRET_SALT',
]

/** The bit of MYSQLI_CLIENT_SSL. */
const mysqliClientSsl = 2048

const databaseSockets = [
  '/run/mysqld/mysqld.sock',
  '/var/run/mysqld/mysqld.sock',
  '/var/lib/mysql/mysql.sock',
  '/tmp/mysql.sock',
]

/** Lists all that cannot be read of a configuration. */
export class WordPressConfigError extends Error {
  override readonly name = 'WordPressConfigError'

  constructor(readonly faults: readonly ConfigFault[]) {
    super(faults.map(faultText).join('\n'))
  }
}

/**
 * Reads a wp-config.php as text. Nothing of it is executed. A variable `WORDPRESS_<constant>` of the environment, or the
 * file that `WORDPRESS_<constant>_FILE` names, is used in place of the constant.
 * @throws WordPressConfigError
 */
export function readWordPressConfig(path: string, environment: Environment): WordPressConfig {
  const scope = new ConfigScope(environment, readScript)
  try {
    scope.executeFile(readSource(path), run)
  } catch (error) {
    if (!(error instanceof PhpSyntaxError)) throw wholeFile(path, readFailure(error))
    throw wholeFile(path, `${error.message} (line ${error.line})`)
  }
  return configOf(scope, environment)
}

function configOf(scope: ConfigScope, environment: Environment): WordPressConfig {
  const definitions = new Map(scope.constants)
  const prefix = scope.definitionOfVariable('table_prefix')
  if (prefix !== null) definitions.set('$table_prefix', prefix)
  const settings = new ConfigSettings(definitions, environment, scope)
  const database = databaseOf(settings)
  const config: Omit<WordPressConfig, 'warnings'> = {
    files: scope.files,
    database,
    prefix: prefixOf(settings),
    secrets: secretsOf(settings),
    home: settings.text('WP_HOME'),
    siteurl: settings.text('WP_SITEURL'),
    cookies: cookiesOf(settings),
    forceSslAdmin: settings.flag('FORCE_SSL_LOGIN') || settings.flagOrNull('FORCE_SSL_ADMIN'),
    environmentType: environmentTypeOf(
      settings.text('WP_ENVIRONMENT_TYPE') || (environment['WP_ENVIRONMENT_TYPE'] ?? null),
    ),
    userTable: settings.text('CUSTOM_USER_TABLE'),
    userMetaTable: settings.text('CUSTOM_USER_META_TABLE'),
    disallowUnfilteredHtml: settings.flag('DISALLOW_UNFILTERED_HTML'),
    emptyTrashDays: settings.count('EMPTY_TRASH_DAYS', 1) ?? 30,
    postRevisions: settings.count('WP_POST_REVISIONS', -1) ?? -1,
    isMultisite: settings.flag('MULTISITE'),
    contentFolder: contentFolderOf(settings, scope.files[0] ?? ''),
    serviceUrls: settings.optionalText('AS_REST_ROUTE_URL'),
    sources: settings.sources,
  }
  const faults = settings.faults()
  if (faults.length > 0) throw new WordPressConfigError(faults)
  return { ...config, warnings: settings.warnings() }
}

/** @throws WordPressConfigError */
function wholeFile(path: string, reason: string): WordPressConfigError {
  return new WordPressConfigError([{ name: null, place: null, message: `${path} cannot be read: ${reason}.` }])
}

function faultText({ place, message }: ConfigFault): string {
  return place === null ? message : `${place.file}:${place.line}: ${message}`
}

function databaseOf(settings: ConfigSettings): WordPressDatabase {
  const text = settings.text('DB_HOST') ?? 'localhost'
  const host = databaseHost(text)
  if (host === null)
    settings.refuse(
      'DB_HOST',
      `DB_HOST is '${text}', which is not host, host:port, host:/socket or [IPv6]:port. Correct it, or set ${variableFor('DB_HOST')} in the environment.`,
    )
  return {
    name: settings.requiredText('DB_NAME'),
    user: settings.requiredText('DB_USER'),
    password: settings.requiredText('DB_PASSWORD'),
    host: host ?? { host: '', port: 0 },
    charset: settings.text('DB_CHARSET'),
    collation: settings.text('DB_COLLATE'),
    // eslint-disable-next-line no-bitwise
    isEncrypted: ((settings.count('MYSQL_CLIENT_FLAGS', 1) ?? 0) & mysqliClientSsl) !== 0,
  }
}

/** The prefix of the tables. As in WordPress, it has letters, digits and underscores. */
function prefixOf(settings: ConfigSettings): string {
  const prefix = settings.text('$table_prefix') ?? 'wp_'
  if (!/^\w+$/.test(prefix))
    settings.refuse(
      '$table_prefix',
      `$table_prefix is '${prefix}'. WordPress accepts letters, digits and underscores. Correct it, or set ${variableFor('$table_prefix')} in the environment.`,
    )
  return prefix
}

function secretsOf(settings: ConfigSettings): Record<string, string> {
  const secrets: Record<string, string> = {}
  for (const name of secretNames) {
    const text = settings.text(name)
    if (text !== null) secrets[name] = text
  }
  return secrets
}

function cookiesOf(settings: ConfigSettings): WordPressCookies {
  return {
    hash: settings.text('COOKIEHASH'),
    names: {
      AUTH_COOKIE: settings.text('AUTH_COOKIE'),
      SECURE_AUTH_COOKIE: settings.text('SECURE_AUTH_COOKIE'),
      LOGGED_IN_COOKIE: settings.text('LOGGED_IN_COOKIE'),
      TEST_COOKIE: settings.text('TEST_COOKIE'),
    },
    domain: settings.text('COOKIE_DOMAIN'),
    path: settings.text('COOKIEPATH'),
    sitePath: settings.text('SITECOOKIEPATH'),
    adminPath: settings.text('ADMIN_COOKIE_PATH'),
    pluginsPath: settings.text('PLUGINS_COOKIE_PATH') ?? pluginsPathOf(settings),
  }
}

/** The path of the address of the plugins, where the site has moved them. */
function pluginsPathOf(settings: ConfigSettings): string | null {
  const contentUrl = settings.optionalText('WP_CONTENT_URL')
  const url = settings.optionalText('WP_PLUGIN_URL') ?? (contentUrl === null ? null : `${contentUrl}/plugins`)
  return url === null ? null : url.replace(/^https?:\/\/[^/]+/i, '')
}

function environmentTypeOf(text: string | null): WordPressConfig['environmentType'] {
  return text === 'local' || text === 'development' || text === 'staging' ? text : 'production'
}

/**
 * WordPress is in the folder of its configuration, or in one below it that ABSPATH names. Debian's configurations are in
 * /etc/wordpress, and its contents in a third place.
 */
function contentFolderOf(settings: ConfigSettings, file: string): string | null {
  const folder = settings.optionalText('WP_CONTENT_DIR')
  if (folder !== null) return folder
  const debian = dirname(file) === '/etc/wordpress' ? '/var/lib/wordpress' : null
  const candidates = [settings.optionalText('ABSPATH'), dirname(file), debian].filter((path) => path !== null)
  return candidates.map((path) => join(path, 'wp-content')).find((path) => existsSync(path)) ?? null
}

/** The socket of a MariaDB or MySQL on this machine, at the places where distributions have it; null when there is none. */
export function findDatabaseSocket(): string | null {
  return databaseSockets.find((path) => existsSync(path)) ?? null
}

/** The address of the database of a site for the option `database`. It contains the password. */
export function addressOfDatabase(database: WordPressDatabase): string {
  const address = databaseAddress(database, findDatabaseSocket)
  if (!database.isEncrypted) return address
  return `${address}${address.includes('?') ? '&' : '?'}ssl-mode=required`
}
