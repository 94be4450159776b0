import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { missingServer } from '../servers/missing-server.js'

/** An unpacked WordPress: Debian's package `wordpress`, or the folder that `WORDPRESS_SOURCE` names. */
export const wordpressFolder = process.env['WORDPRESS_SOURCE'] ?? '/usr/share/wordpress'

const versionFile = join(wordpressFolder, 'wp-includes/version.php')

export const isWordPressUnpacked = (): boolean => existsSync(versionFile)

export interface WordPressVersion {
  /** Such as `7.1.4`. */
  readonly text: string
  /** Its first two numbers, which WordPress counts in decimals: 6.1, and 7 after 6.9. */
  readonly number: number
  /** The `db_version` of a site of this WordPress. */
  readonly dbVersion: number
}

/** The version of the unpacked WordPress. @throws Error when there is none. */
export function wordpressVersion(): WordPressVersion {
  const source = readFileSync(versionFile, 'utf8')
  const text = /^\$wp_version = '([^']+)'/m.exec(source)?.[1]
  const dbVersion = /^\$wp_db_version = (\d+)/m.exec(source)?.[1]
  if (text === undefined || dbVersion === undefined) throw new Error(`There is no version in ${versionFile}.`)
  return { text, number: Number.parseFloat(text), dbVersion: Number(dbVersion) }
}

/** Absolute paths of what runs a WordPress site. */
export interface WordPressPrograms {
  readonly php: string
  readonly fpm: string
  readonly nginx: string
}

/** @throws Error when one is not installed. */
export function wordpressPrograms(): WordPressPrograms {
  const programs = { php: find(/^php$/), fpm: find(/^php-fpm(\d\.\d)?$/), nginx: find(/^nginx$/) }
  const missing = missingPackages()
  if (missing.length > 0) throw new Error(`Install Debian's ${missing.join(', ')}.`)
  return programs as WordPressPrograms
}

/** Absolute path of nginx; null where it is not installed. */
export const nginxPath = (): string | null => find(/^nginx$/)

/**
 * The value of a test's option `skip`: false where `startWordPressSite` starts one, else what to install.
 * @throws Error with CI=true: there everything is installed. `TEST_SERVERS=none` leaves the tests out on purpose.
 */
export function skipWithoutWordPress(): string | false {
  return skipFor(missingServer('mariadb') ?? missingReason())
}

/** As `skipWithoutWordPress`, for tests that run `php` alone. */
export function skipWithoutPhp(): string | false {
  return skipFor(find(/^php$/) === null ? "there is no php here: install Debian's php-cli" : null)
}

function missingReason(): string | null {
  const missing = missingPackages()
  return missing.length === 0 ? null : `there is no WordPress here: install Debian's ${missing.join(', ')}`
}

function missingPackages(): string[] {
  const installed: Readonly<Record<string, boolean>> = {
    wordpress: isWordPressUnpacked(),
    'php-cli': find(/^php$/) !== null,
    'php-fpm': find(/^php-fpm(\d\.\d)?$/) !== null,
    'php-mysql': find(/^php$/) === null || hasMysqli(),
    nginx: find(/^nginx$/) !== null,
  }
  return Object.keys(installed).filter((name) => installed[name] === false)
}

/** By Debian's files of PHP, which is faster than to ask `php`. */
function hasMysqli(): boolean {
  const versions = readdirSync('/etc/php').filter((name) => /^\d/.test(name))
  return versions.some((version) => existsSync(`/etc/php/${version}/mods-available/mysqli.ini`))
}

function skipFor(reason: string | null): string | false {
  if (reason === null) return false
  const isLeftOut = process.env['TEST_SERVERS'] === 'none'
  if (process.env['CI'] === 'true' && !isLeftOut) throw new Error(reason)
  return reason
}

function find(name: RegExp): string | null {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const folder of [...path, '/usr/sbin', '/usr/local/sbin']) {
    const program = namesIn(folder).find((entry) => name.test(entry))
    if (program !== undefined && isExecutable(join(folder, program))) return join(folder, program)
  }
  return null
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
