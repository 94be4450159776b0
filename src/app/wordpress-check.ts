import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rolesIn } from '../auth/roles.js'
import { missingSecretsText, secretNames, secretsInConstants } from '../auth/secrets.js'
import { isUnicode, oldestWordPress } from '../database/mysql/open-wordpress.js'
import { charsetProblem, companionFile } from './wordpress-site.js'
import { wordpressSiteFacts, type WordPressSiteFacts } from '../database/mysql/wordpress-site-facts.js'
import {
  addressOfDatabase,
  readWordPressConfig,
  type Environment,
  type WordPressConfig,
} from '../wordpress/wordpress-config.js'

export { StorageError } from '../database/storage-error.js'
export { WordPressConfigError } from '../wordpress/wordpress-config.js'

/** The report of `wordpress check` on a site. */
export interface WordPressReport {
  readonly files: readonly string[]
  /** What the site is. Each fact has the name that the command prints. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly shared: readonly string[]
  readonly notShared: readonly string[]
  readonly problems: readonly WordPressProblem[]
}

export interface WordPressProblem {
  /** Whether a service cannot work on the site. */
  readonly isFatal: boolean
  readonly message: string
}

const siteOptions = [
  'siteurl',
  'home',
  'permalink_structure',
  'category_base',
  'timezone_string',
  'gmt_offset',
  'WPLANG',
  'blog_charset',
  'db_version',
] as const

/** WordPress 7.1, the newest against which this program was tested. */
const newestVersion = 61_833

/**
 * Reads the configuration and the database of a site, and changes nothing.
 * @throws WordPressConfigError when wp-config.php cannot be read.
 * @throws StorageError when the database cannot be reached.
 */
export async function checkWordPress(configPath: string, environment: Environment): Promise<WordPressReport> {
  const config = readWordPressConfig(configPath, environment)
  const facts = await wordpressSiteFacts(
    addressOfDatabase(config.database),
    config.prefix,
    [...siteOptions, `${config.prefix}user_roles`, ...secretNames],
    { users: config.userTable, usermeta: config.userMetaTable },
  )
  return {
    files: config.files,
    facts: siteFactsOf(config, facts),
    shared: [
      'Users, passwords, login cookies, nonces, application passwords, roles and capabilities.',
      'Records of declared types with metadata, terms, slugs, permalinks and trash.',
      'The options that say what the site is: address, time zone, permalinks, keys.',
    ],
    notShared: [
      'Hooks, filters, shortcodes and blocks: they run in PHP only.',
      'Page caches in front of WordPress: they do not learn of writes of this service. The object cache of WordPress learns of them from the companion plugin.',
      'Tables of plugins, such as the orders of WooCommerce.',
    ],
    problems: problemsOf(config, facts),
  }
}

function siteFactsOf(config: WordPressConfig, facts: WordPressSiteFacts): [string, string][] {
  const option = (name: string): string => facts.options.get(name) ?? ''
  const counts = (list: readonly { name: string; count: number }[]) =>
    list.map(({ name, count }) => `${name} (${count})`).join(', ') || 'none'
  const roles = rolesIn(option(`${config.prefix}user_roles`))
  const collations = [...new Set(facts.tables.map(({ collation }) => collation))]
  return [
    ['database', facts.address],
    ['server', facts.server],
    ['rights', [...facts.rights].join(', ') || 'none'],
    ['charset', `${config.database.charset ?? 'not defined'}; tables: ${collations.join(', ') || 'none'}`],
    ['prefix', config.prefix],
    ['db_version', option('db_version') || 'missing'],
    ['siteurl', config.siteurl ?? option('siteurl')],
    ['home', config.home ?? option('home')],
    ['permalinks', option('permalink_structure') || 'plain'],
    ['category base', option('category_base') || 'category'],
    ['time zone', option('timezone_string') || `UTC${offsetText(option('gmt_offset'))}`],
    ['language', option('WPLANG') || 'en_US'],
    ['blog_charset', option('blog_charset')],
    ['environment', config.environmentType],
    ...constantsIn(config),
    ['roles', roles === null ? 'unreadable' : [...roles.keys()].join(', ')],
    ['record types', counts(facts.recordTypes)],
    ['taxonomies', counts(facts.taxonomies)],
    ['keys and salts', keysText(config, facts)],
    ['autoloaded options', `${facts.autoloadedBytes} bytes`],
    ['object cache', objectCacheOf(config) ?? 'none'],
    ['companion', companionFile(config) ?? 'not installed'],
    ['freshness', freshnessOf(config, facts)],
  ]
}

/** The constants that are defined, of those that have neither an option nor a line of their own. */
function constantsIn({ cookies, sources, ...config }: WordPressConfig): [string, string][] {
  const values: Readonly<Record<string, string | number | boolean | null>> = {
    COOKIEHASH: cookies.hash,
    ...cookies.names,
    COOKIE_DOMAIN: cookies.domain,
    COOKIEPATH: cookies.path,
    SITECOOKIEPATH: cookies.sitePath,
    ADMIN_COOKIE_PATH: cookies.adminPath,
    PLUGINS_COOKIE_PATH: cookies.pluginsPath,
    FORCE_SSL_ADMIN: config.forceSslAdmin,
    CUSTOM_USER_TABLE: config.userTable,
    CUSTOM_USER_META_TABLE: config.userMetaTable,
    DISALLOW_UNFILTERED_HTML: config.disallowUnfilteredHtml,
    EMPTY_TRASH_DAYS: config.emptyTrashDays,
    WP_POST_REVISIONS: config.postRevisions,
  }
  return Object.entries(values)
    .filter(([name]) => sources.has(name))
    .map(([name, value]) => [name, String(value ?? '')])
}

/** How old a response may be. */
function freshnessOf(config: WordPressConfig, { tracking: { mode } }: WordPressSiteFacts): string {
  if (mode === 'on')
    return 'tracking: triggers count each write, also of PHP; rows and responses are kept until a write, and never stale'
  return [
    'each request reads the tables anew; a response from the response cache may be as old, in seconds, as its route declares',
    ...reportsText(config),
    ...(mode === 'off'
      ? ['after `as-rest-route wordpress install-tracking`, rows and responses are kept and never stale']
      : []),
  ].join('; ')
}

/** What the companion plugin changes about the age of cached responses. */
function reportsText(config: WordPressConfig): string[] {
  if (companionFile(config) === null) return []
  if (config.serviceUrls === null)
    return ['the companion plugin reports no write of PHP, because wp-config.php does not define AS_REST_ROUTE_URL']
  return [
    `the companion plugin reports writes of PHP to ${config.serviceUrls}, so that cached responses end a moment after them; if a report is lost, they end after their declared seconds`,
  ]
}

function offsetText(hours: string): string {
  const offset = Number(hours) || 0
  return offset === 0 ? '' : `${offset > 0 ? '+' : ''}${offset}`
}

type SecretSource = 'wp-config.php' | 'options' | 'missing'

/** Where each secret comes from, in the order of `secretNames`. */
function secretSources(config: WordPressConfig, facts: WordPressSiteFacts): SecretSource[] {
  const constants = secretsInConstants(config.secrets)
  return secretNames.map((name) =>
    constants.has(name) ? 'wp-config.php' : facts.options.get(name) ? 'options' : 'missing',
  )
}

function keysText(config: WordPressConfig, facts: WordPressSiteFacts): string {
  const sources = secretSources(config, facts)
  return [...new Set(sources)]
    .map((source) => `${sources.filter((each) => each === source).length} ${source}`)
    .join(', ')
}

/** The drop-in of a persistent object cache. */
function objectCacheOf({ contentFolder }: WordPressConfig): string | null {
  const file = contentFolder === null ? null : join(contentFolder, 'object-cache.php')
  return file !== null && existsSync(file) ? file : null
}

function problemsOf(config: WordPressConfig, facts: WordPressSiteFacts): WordPressProblem[] {
  const problems: WordPressProblem[] = []
  const fatal = (message: string) => void problems.push({ isFatal: true, message })
  const warn = (message: string) => void problems.push({ isFatal: false, message })
  const option = (name: string): string => facts.options.get(name) ?? ''

  for (const { place, message } of config.warnings)
    warn(place === null ? message : `${place.file}:${place.line}: ${message}`)
  if (config.isMultisite) fatal('The site is a network (MULTISITE). Networks are not supported. Use a single site.')
  if (facts.missingTables.length > 0)
    fatal(`There are no tables ${facts.missingTables.join(', ')}. Correct $table_prefix, or install WordPress.`)
  else versionProblem(option('db_version'), fatal, warn)
  if (facts.missingTables.length === 0) {
    // New slugs and users are chosen under a lock of this row.
    if (!facts.options.has('siteurl'))
      fatal(`The table ${config.prefix}options lacks siteurl: it is not that of an installed WordPress. Restore it.`)
    siteProblems(config, option, fatal, warn)
  }
  rightProblems(facts, fatal, warn)
  for (const { name, engine } of facts.tables)
    if (engine !== 'InnoDB')
      warn(
        `The table ${name} has the engine ${engine}, which has no transactions. ALTER TABLE \`${name}\` ENGINE=InnoDB`,
      )
  const connectionProblem = charsetProblem(config.database.charset)
  if (connectionProblem !== null) fatal(connectionProblem)
  const tablesToConvert = connectionProblem === null ? facts.charsets.filter(({ charset }) => !isUnicode(charset)) : []
  for (const { table, charset } of tablesToConvert)
    fatal(
      `The table ${table} (${charset}) is not in Unicode. Convert it, after a backup: ALTER TABLE \`${table}\` CONVERT TO CHARACTER SET utf8mb4`,
    )
  const narrowTables = facts.charsets.filter(({ charset }) => isUnicode(charset) && charset !== 'utf8mb4')
  if (narrowTables.length > 0)
    warn(
      `Some tables cannot store every character, such as emoji: ${narrowTables.map(({ table, charset }) => `${table} (${charset})`).join(', ')}.`,
    )
  if (facts.tracking.mode === 'part')
    warn(
      `Tracking is incomplete: not every write to the tables is counted. ${facts.tracking.reason} Run \`as-rest-route wordpress install-tracking\` again, or \`remove-tracking\`.`,
    )
  const sources = secretSources(config, facts)
  const missingSecrets = secretNames.filter((_, index) => sources[index] === 'missing')
  if (missingSecrets.length > 0 && facts.missingTables.length === 0) fatal(missingSecretsText(missingSecrets))
  const cache = objectCacheOf(config)
  if (cache !== null && companionFile(config) === null)
    warn(
      `WordPress has a persistent object cache (${cache}), which does not learn of writes of this service. PHP goes on with the former rows of records, users, terms and options until PHP itself writes them or the cache drops them, and most caches never do. Until then PHP accepts former passwords and ended sessions, and a write of PHP can undo a new password, the end of a session, or the tasks of scheduled records in \`cron\`. Install the companion plugin, which tells the cache: copy wordpress/as-rest-route.php of this package to wp-content/mu-plugins.`,
    )
  return problems
}

type Report = (message: string) => void

function versionProblem(version: string, fatal: Report, warn: Report): void {
  const number = Number(version)
  if (!/^\d+$/.test(version))
    fatal('The option db_version is missing or not a number. The installation is not complete.')
  else if (number < oldestWordPress)
    fatal(
      `The database is that of an older WordPress (db_version ${version}). WordPress 5.6 (db_version ${oldestWordPress}) or later is needed. Update WordPress.`,
    )
  else if (number > newestVersion)
    warn(
      `The database is that of a newer WordPress (db_version ${version}) than the newest that was tested (db_version ${newestVersion}).`,
    )
}

function siteProblems(config: WordPressConfig, option: (name: string) => string, fatal: Report, warn: Report): void {
  for (const [name, constant] of [
    ['siteurl', config.siteurl],
    ['home', config.home],
  ] as const)
    if (!/^https?:\/\/[^/]/.test(constant ?? option(name)))
      fatal(`The option ${name} is not an http or https address. Correct it, or define it in wp-config.php.`)
  if (rolesIn(option(`${config.prefix}user_roles`)) === null)
    fatal(`The option ${config.prefix}user_roles cannot be read, so that no user has a role. Restore it from a backup.`)
  if (!/^(?:utf-?8)?$/i.test(option('blog_charset')))
    warn(
      `The option blog_charset is '${option('blog_charset')}'. The texts in the database are in Unicode, and responses of this service say UTF-8. Set the option to UTF-8.`,
    )
  if (option('permalink_structure') === '')
    warn(
      'Permalinks are plain, so that WordPress has its REST API at ?rest_route= only. Let the web server send these addresses of your namespace to the service as well.',
    )
}

function rightProblems({ rights, isReadOnly }: WordPressSiteFacts, fatal: Report, warn: Report): void {
  const missing = (['INSERT', 'UPDATE', 'DELETE'] as const).filter((right) => !rights.has(right))
  if (!rights.has('SELECT')) fatal('The user of the database has no right to read the tables. GRANT SELECT on them.')
  else if (missing.length > 0)
    warn(
      `The user of the database has no right to ${missing.join(', ')}: requests that write fail. GRANT these rights.`,
    )
  if (isReadOnly)
    fatal(
      'The server is read-only, as a replica is, so that no service starts. Name the primary in DB_HOST, or SET GLOBAL read_only = 0.',
    )
}
