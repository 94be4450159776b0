import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApplicationPasswords } from '../auth/application-passwords.js'
import type { DoneJob } from '../content/job-runner.js'
import type { RecordStore } from '../content/record-store.js'
import { UserRejectedError } from '../content/user-rejected-error.js'
import type { Users } from '../content/users.js'
import type { Log } from '../log/log.js'
import { Mailer, type MailMessage } from '../mail/mailer.js'
import { runnerCalls } from './background-calls.js'
import { start } from './boot.js'
import { temporaryDatabase } from './database-addresses.js'
import { refuseModulesBeingLoaded } from './find-route-sources.js'
import type { Content } from './content.js'
import type { BootOptions } from './options.js'
import { inspect, type HandlerSource, type Plan } from './plan.js'
import type { Service } from './service.js'
import { TestClient, type TestCredentials } from './test-client.js'
import { millisecondsOf, TestClock } from './test-clock.js'
import { ApplicationPasswordOf, BrowserLogin, EnteredRecordPassword, LoginQueue } from './test-credentials.js'

/** The options of the service, with the defaults of {@link startTestService}, and the time at which its clock stands. */
export interface TestServiceOptions extends Omit<BootOptions, 'clock' | 'log'> {
  /** Default: the time of the start. */
  readonly now?: Date | string | number
}

/** A line of the log. */
export interface TestLogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A job that waits or has failed. */
export interface TestJob {
  readonly id: number
  readonly name: string
  readonly payload: unknown
  readonly state: 'waiting' | 'failed'
  /** When it is due; of a failed one, when it failed. */
  readonly due: Date
  /** How often it was tried. */
  readonly attempts: number
  /** Of the last attempt that failed: `Error: no paper`. Null for none. */
  readonly error: string | null
}

/** The password of all users that {@link startTestService} creates. */
const password = 'test password'

/**
 * Starts a service for tests: on a database in memory, with a clock that stands still, a mailer that keeps messages, a log
 * that keeps lines, and one user for each role. The login of a user is the name of the role; `test-editor` where `seed`, or the given
 * database, has another user of that name. The users of an earlier test service on the same database are used again. Passwords are hashed with the
 * lowest cost, so that a start takes some milliseconds. Where the configuration has `uploads`, files are stored in a
 * temporary folder, which `close` removes.
 *
 * @param source a folder of handler classes and endpoints, or a list of them.
 * @param options as those of `boot`. Other defaults: `database` is `sqlite::memory:`, `environment` is `local`, and
 *   `base_url` is `http://localhost`. The configuration of the application applies below them, `seed` included.
 * @throws StartupError @throws StorageError @throws SeedError as `boot`.
 */
export async function startTestService(source: HandlerSource, options: TestServiceOptions = {}): Promise<TestService> {
  refuseModulesBeingLoaded()
  const { now = Date.now(), ...bootOptions } = options
  const clock = new TestClock(millisecondsOf(now))
  const mails: MailMessage[] = []
  const logLines: TestLogLine[] = []
  const mailer = { send: async (message: MailMessage) => void mails.push(message) }
  const plan = await inspect(
    source,
    {
      database: temporaryDatabase,
      environment: 'local',
      base_url: home,
      ...bootOptions,
      provide: [[Mailer, mailer], ...(bootOptions.provide ?? [])],
      clock: clock.now,
      log: logInto(logLines),
    },
    undefined,
    { hashing: { threads: 0, cost: minBcryptCost } },
  )
  const { uploads } = plan.options
  const folder =
    uploads !== undefined && bootOptions.uploads === undefined
      ? await mkdtemp(join(tmpdir(), 'as-rest-route-test-uploads-'))
      : null
  const removeUploads = async () => {
    if (folder !== null) await rm(folder, { recursive: true, force: true })
  }
  let service: Service | null = null
  try {
    const serviceOptions = folder === null ? plan.options : { ...plan.options, uploads: { ...uploads, folder } }
    service = await start({ ...plan, options: serviceOptions }, [], { runsJobs: false })
    const logins = new Map<string, string>()
    for (const role of (await plan.content.roles.current()).keys()) logins.set(role, await loginOf(role, plan.content))
    const { home: siteHome } = plan.content.site
    return new TestService({ service, plan, clock, mails, logLines, home: siteHome, logins, removeUploads })
  } catch (error) {
    await service?.close()
    await removeUploads()
    throw error
  }
}

/** The login of a user with the role and the password of tests, who is created unless the database has one. */
async function loginOf(role: string, { users, storage, hasher }: Content): Promise<string> {
  for (const login of [role, `test-${role}`]) {
    const email = `${login}@test.example`
    const isUsable = async () => {
      const user = await users.find(login)
      if (user?.email !== email) return false
      const row = await storage.users.find({ id: user.id })
      if (row === null || !(await hasher.verify(password, row.user_pass))) return false
      if (user.roles.join() !== role) await users.update(user.id, { role })
      return true
    }
    if (await isUsable()) return login
    try {
      await users.create({ login, email, password, role })
      return login
    } catch (error) {
      if (!(error instanceof UserRejectedError)) throw error
      // Another process has just created the same user.
      if (await isUsable()) return login
    }
  }
  throw new Error(
    `startTestService: the database has users '${role}' and 'test-${role}' with other passwords than those of tests. Give a database that only tests use, or none for one in memory.`,
  )
}

const namespacesOf = ({ routes }: Service): Iterable<string> => routes.map(({ namespace }) => namespace)

const home = 'http://localhost'
/** The lowest cost that bcrypt allows: 2^4 rounds. */
const minBcryptCost = 4

function logInto(lines: TestLogLine[]): Log {
  const writer = (level: TestLogLine['level']) => (fields: object, message: string) =>
    void lines.push({ level, message, fields: { ...fields } })
  return { info: writer('info'), warn: writer('warn'), error: writer('error') }
}

interface TestServiceDependencies {
  readonly service: Service
  readonly plan: Plan
  readonly clock: TestClock
  readonly mails: MailMessage[]
  readonly logLines: TestLogLine[]
  readonly home: string
  readonly logins: ReadonlyMap<string, string>
  readonly removeUploads: () => Promise<void>
}

/** A service for tests. Its own methods `get`, `post` and so on send requests of a visitor. */
export class TestService extends TestClient {
  /** The service itself, for `listen`, `fetch` and `routes`. */
  readonly service: Service
  readonly clock: TestClock
  /** The messages that were sent, the oldest first. A test may empty the list: `service.mails.length = 0`. */
  readonly mails: MailMessage[]
  /** The lines of the log, the oldest first. A test may empty the list. */
  readonly logLines: TestLogLine[]
  readonly #plan: Plan
  readonly #home: string
  readonly #logins: ReadonlyMap<string, string>
  readonly #loginQueue = new LoginQueue()
  readonly #removeUploads: () => Promise<void>

  constructor({
    service,
    plan,
    clock,
    mails,
    logLines,
    home: siteHome,
    logins,
    removeUploads,
  }: TestServiceDependencies) {
    super(
      (request) => service.fetch(request),
      `${siteHome}/${service.restPrefix}`,
      () => namespacesOf(service),
    )
    this.service = service
    this.#plan = plan
    this.clock = clock
    this.mails = mails
    this.logLines = logLines
    this.#home = siteHome
    this.#logins = logins
    this.#removeUploads = removeUploads
  }

  /** The store that handlers get by `inject(RecordStore)`. */
  get records(): RecordStore {
    return this.service.records
  }

  /** The users that handlers get by `inject(Users)`. */
  get users(): Users {
    return this.service.users
  }

  get applicationPasswords(): ApplicationPasswords {
    return this.service.applicationPasswords
  }

  /** The jobs that wait or have failed, the oldest first, at most 1,000. A test service does none by itself. */
  async jobs(): Promise<readonly TestJob[]> {
    const rows = await this.#plan.content.storage.jobs.list({ state: null, after: 0, limit: 1_000 })
    return rows.map(({ id, name, payload, state, due_at, attempts, error }) => ({
      id,
      name,
      payload: JSON.parse(payload) as unknown,
      state: state === 'failed' ? 'failed' : 'waiting',
      due: new Date(due_at),
      attempts,
      error: error === '' ? null : error,
    }))
  }

  /**
   * Does the jobs that are due by the clock of the test, one after the other, also those that they enqueue. A job that throws
   * waits for its next attempt, as in any service: turn the clock, and call this again.
   * @returns what was done, in order; `error` is what a job threw.
   */
  async runJobs(): Promise<readonly DoneJob[]> {
    const { application, content, log } = this.#plan
    return (await content.jobRunner?.runDue(runnerCalls(application, log))) ?? []
  }

  /**
   * A client of the user who has this role. It logs in with its first request.
   * @param role `editor`, or a role of the option `roles`.
   * @param credentials `cookie`: the login cookies and a nonce, as a browser sends them. `application_password`: Basic
   *   authentication.
   * @throws RangeError for an unknown role.
   */
  as(role: string, credentials: 'cookie' | 'application_password' = 'cookie'): TestClient {
    const login = this.#logins.get(role)
    if (login === undefined)
      throw new RangeError(`service.as: there is no role '${role}'. Roles: ${[...this.#logins.keys()].join(', ')}.`)
    if (credentials === 'cookie') return this.logIn(login, password)
    return this.#client(new ApplicationPasswordOf(login, () => this.#applicationPassword(login)))
  }

  /** A client of a user whom the test or `seed` created. It logs in at the login page with its first request. */
  logIn(login: string, userPassword: string): TestClient {
    return this.#client(
      new BrowserLogin(
        (request) => this.fetch(request),
        { home: this.#home, queue: this.#loginQueue },
        login,
        userPassword,
      ),
    )
  }

  /** A client of a visitor who enters this password in WordPress's form for protected records, with its first request. */
  withRecordPassword(recordPassword: string): TestClient {
    return this.#client(new EnteredRecordPassword((request) => this.fetch(request), this.#home, recordPassword))
  }

  /** Sends any request, such as one for a page. */
  fetch(request: Request): Promise<Response> {
    return this.service.fetch(request)
  }

  /** Stops the service, and removes the files that it stored in a temporary folder. */
  async close(): Promise<void> {
    await this.service.close()
    await this.#removeUploads()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #client(credentials: TestCredentials): TestClient {
    return new TestClient(
      (request) => this.fetch(request),
      `${this.#home}/${this.service.restPrefix}`,
      () => namespacesOf(this.service),
      credentials,
    )
  }

  async #applicationPassword(login: string): Promise<string> {
    const user = await this.users.find(login)
    if (!user) throw new Error(`The test removed the user '${login}'.`)
    const created = await this.applicationPasswords.create(user.id, { name: 'test' })
    return created.password
  }
}
