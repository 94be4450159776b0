import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freshDatabase, freshDatabaseOn, type FreshDatabase } from '../servers/fresh-database.js'
import { freePorts } from '../servers/free-ports.js'
import { serverUser } from '../servers/server-program.js'
import { dumpDatabase, type DatabaseDump } from './database-dump.js'
import { runPhp } from './php-command.js'
import { siteConfig } from './site-config.js'
import { chownAll, phpFile, siteFolder, writeLocations, writeSite } from './site-files.js'
import { logFiles, startProcesses, type SiteProcesses } from './site-processes.js'
import { wordpressPrograms, wordpressVersion } from './wordpress-programs.js'

export { changesBetween, type DatabaseDump, type DumpedRow, type RowChange } from './database-dump.js'
export { skipWithoutWordPress } from './wordpress-programs.js'

export interface WordPressSiteOptions {
  /** Prefix of the tables. Default `wp_`. */
  readonly prefix?: string
  /** DB_CHARSET. Default `utf8mb4`. */
  readonly charset?: string
  /** The path of the site's address: `/blog`. Default none. */
  readonly path?: string
  /** Lines of wp-config.php before all others. A constant that they define is not defined again. */
  readonly config?: readonly string[]
  /** PHP files by name, in wp-content/mu-plugins beside those of the test site. */
  readonly plugins?: Readonly<Record<string, string>>
  /** Address of a server on which the site's database is created. Default: the one for tests. */
  readonly server?: string
  /** Processes of PHP-FPM. Default 3. */
  readonly phpProcesses?: number
  /** Whether nginx keeps connections, for measurements. Default no: `setLocations` ends those that it keeps. */
  readonly keepAlive?: boolean
}

export interface SiteUser {
  readonly login: string
  readonly password: string
  readonly email: string
  readonly role: string
}

/** One user of each role. Ids are 1 … 5, in this order. */
export const siteUsers = {
  administrator: siteUser('administrator'),
  editor: siteUser('editor'),
  author: siteUser('author'),
  contributor: siteUser('contributor'),
  subscriber: siteUser('subscriber'),
} as const

/**
 * A real WordPress: Debian's package, on PHP-FPM behind nginx, with a database of its own. `content/mu-plugins/shop.php`
 * registers the records and routes of examples/shop.
 */
export interface WordPressSite {
  /** Without a trailing slash: `http://127.0.0.1:23456`. */
  readonly url: string
  readonly folder: string
  /** wp-config.php. */
  readonly configPath: string
  /** Address of the database, for a user with all rights: `mariadb://…`. */
  readonly database: string
  readonly prefix: string
  /** Of WordPress, which counts in decimals: 6.1, and 7 after 6.9. */
  readonly version: number
  /** The `db_version` of a site of this WordPress. */
  readonly dbVersion: number
  /**
   * Runs code as the body of a PHP function, after WordPress has loaded, in a process of its own.
   * @param argument is `$argument` there, decoded from JSON.
   * @returns what the code returns, by JSON.
   */
  php(code: string, argument?: unknown): Promise<unknown>
  /** All rows of all tables, and the schema. `changesBetween` compares two. */
  dump(): Promise<DatabaseDump>
  /** Logs in at wp-login.php. @returns the value of the header `Cookie`. */
  logIn(user: Pick<SiteUser, 'login' | 'password'>): Promise<string>
  /** The nonce for the REST API that WordPress prints for these cookies. */
  restNonce(cookie: string): Promise<string>
  /** A new application password. @returns the header `Authorization` for it. */
  applicationPassword(user: Pick<SiteUser, 'login'>, name?: string): Promise<string>
  /** Messages that WordPress sent, oldest first. */
  mail(): readonly { readonly to: string; readonly subject: string; readonly message: string }[]
  /** Gives nginx these directives beside its own, in the `server` block; resolves when they count. */
  setLocations(directives: string): Promise<void>
  /** Ends PHP-FPM; resolves when nginx answers 502. */
  stopPhp(): Promise<void>
  /** Starts PHP-FPM again; resolves when WordPress answers. */
  startPhp(): Promise<void>
  /** What PHP, PHP-FPM and nginx have logged. */
  logs(): string
  /** Ends it, and removes its files and its database. */
  stop(): Promise<void>
}

/**
 * Starts a site. It ends with the process of the test at the latest.
 *
 * ```ts
 * describe('beside WordPress', { skip: skipWithoutWordPress() }, () => { … await startWordPressSite() … })
 * ```
 *
 * @throws Error when something is not installed, or does not start.
 */
export async function startWordPressSite(options: WordPressSiteOptions = {}): Promise<WordPressSite> {
  const programs = wordpressPrograms()
  const database = await (options.server === undefined ? freshDatabase('mariadb') : freshDatabaseOn(options.server))
  if (database === null) throw new Error('There is no MariaDB for tests.')
  const user = serverUser({ name: 'WordPress', users: ['www-data', 'nobody'] })
  const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-site-'))
  const { prefix = 'wp_', charset = 'utf8mb4', path = '', config: lines = [] } = options
  const port = await freePort()
  const files = {
    folder,
    port,
    path,
    phpProcesses: options.phpProcesses ?? 3,
    keepAlive: options.keepAlive ?? false,
    config: siteConfig({ database: database.url, prefix, charset, lines }),
  }
  writeSite(files)
  for (const [name, text] of Object.entries(options.plugins ?? {}))
    writeFileSync(join(siteFolder(files), 'wp-content/mu-plugins', name), text)
  if (user !== null) chownAll(folder, user)

  const processes = startProcesses(programs, folder, user)
  const site = new StartedSite({ ...files, prefix, php: programs.php, user }, database, processes)
  try {
    await site.install()
  } catch (error) {
    const logs = site.logs()
    await site.stop()
    throw new Error(`The WordPress site does not start.\n${logs}`, { cause: error })
  }
  return site
}

interface Place {
  readonly folder: string
  readonly port: number
  readonly path: string
  readonly prefix: string
  readonly php: string
  readonly user: { readonly uid: number; readonly gid: number } | null
}

class StartedSite implements WordPressSite {
  readonly #at: Place
  readonly #database: FreshDatabase
  readonly #processes: SiteProcesses
  #configuration = 0

  constructor(at: Place, database: FreshDatabase, processes: SiteProcesses) {
    this.#at = at
    this.#database = database
    this.#processes = processes
  }

  get url(): string {
    return `http://${this.#host}${this.#at.path}`
  }

  get folder(): string {
    return siteFolder(this.#at)
  }

  get configPath(): string {
    return join(this.folder, 'wp-config.php')
  }

  get database(): string {
    return this.#database.url
  }

  get prefix(): string {
    return this.#at.prefix
  }

  get version(): number {
    return wordpressVersion().number
  }

  get dbVersion(): number {
    return wordpressVersion().dbVersion
  }

  async install(): Promise<void> {
    const users = Object.values(siteUsers)
    await runPhp(this.#at, phpFile('install'), { host: this.#host, url: this.url, title: 'The Corner Shop', users })
    // After the types are registered, which happens only in an installed site.
    await this.php('flush_rewrite_rules( false );')
    await this.#waitUntil(`${this.url}/wp-json/`, ({ status }) => status === 200)
  }

  php(code: string, argument?: unknown): Promise<unknown> {
    return runPhp(this.#at, phpFile('run'), { host: this.#host, code, argument })
  }

  dump(): Promise<DatabaseDump> {
    return dumpDatabase(this.database)
  }

  async logIn({ login, password }: Pick<SiteUser, 'login' | 'password'>): Promise<string> {
    const response = await fetch(`${this.url}/wp-login.php`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
      body: new URLSearchParams({ log: login, pwd: password, testcookie: '1' }),
    })
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
    if (response.status !== 302) throw new Error(`${login} cannot log in: ${response.status}`)
    return [...new Set(cookies)].join('; ')
  }

  async restNonce(cookie: string): Promise<string> {
    const response = await fetch(`${this.url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { cookie } })
    if (!response.ok) throw new Error(`No nonce: ${response.status}`)
    return response.text()
  }

  /** @param name unique among those of the user. Default: a random one. */
  async applicationPassword({ login }: Pick<SiteUser, 'login'>, name: string = randomUUID()): Promise<string> {
    const code = `$user = get_user_by( 'login', $argument['login'] );
      return WP_Application_Passwords::create_new_application_password( $user->ID, array( 'name' => $argument['name'] ) )[0];`
    const password = String(await this.php(code, { login, name }))
    return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
  }

  mail(): { to: string; subject: string; message: string }[] {
    const lines = textOf(join(this.folder, 'mail.jsonl')).split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ReturnType<typeof this.mail>[0])
  }

  async setLocations(directives: string): Promise<void> {
    this.#configuration += 1
    const version = String(this.#configuration)
    writeLocations(this.#at.folder, directives, this.#configuration)
    this.#processes.reload(version)
    await this.#waitUntil(`http://${this.#host}/__configuration`, async (response) => {
      const isLoaded = (await response.text()) === version
      // A worker with the configuration before may still take connections.
      return isLoaded && textOf(join(this.#at.folder, 'reloaded')).trim() === version
    })
  }

  async stopPhp(): Promise<void> {
    this.#processes.php('stop')
    await this.#waitUntil(`${this.url}/wp-json/`, ({ status }) => status === 502)
  }

  async startPhp(): Promise<void> {
    this.#processes.php('start')
    await this.#waitUntil(`${this.url}/wp-json/`, ({ status }) => status === 200)
  }

  logs(): string {
    return [...logFiles(this.#at.folder).map(textOf), this.#processes.output()].join('\n').slice(-8000)
  }

  async stop(): Promise<void> {
    await this.#processes.end()
    await this.#database.drop()
  }

  get #host(): string {
    return `127.0.0.1:${this.#at.port}`
  }

  /** @throws Error when no response passes the check within two minutes. */
  async #waitUntil(url: string, passes: (response: Response) => boolean | Promise<boolean>): Promise<void> {
    let last: unknown
    const deadline = performance.now() + 120_000
    while (performance.now() < deadline) {
      try {
        const response = await fetch(url)
        last = response.status
        if (await passes(response)) return
      } catch (error) {
        last = error
      }
      await setTimeout(50)
    }
    throw new Error(`${url} does not answer as expected. Last: ${String(last)}`)
  }
}

function siteUser(role: string): SiteUser {
  return { login: role, password: `secret of the ${role}`, email: `${role}@shop.example`, role }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A port of this machine that was free just now. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}
