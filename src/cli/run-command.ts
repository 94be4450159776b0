import { readFileSync } from 'node:fs'
import { Argument, Command, CommanderError } from 'commander'
import { defaultDatabase } from '../app/database-addresses.js'
import { StartupError } from '../app/startup-error.js'
import { RejectedError } from '../http/rejected-error.js'
import { isThrownError } from '../base/thrown-errors.js'
import { CommandError } from './command-error.js'
import type { DataOptions } from './application.js'
import { printable } from '../log/printable.js'
import type { Output } from './output.js'

// Each command is imported when it runs: `serve` starts faster without the modules of the other commands.
const users = () => import('./users.js')
type Users = Awaited<ReturnType<typeof users>>
const jobs = () => import('./jobs.js')
type Jobs = Awaited<ReturnType<typeof jobs>>

const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve('as-rest-route/package.json')), 'utf8')) as {
  readonly version: string
}

/** Empty when the command line has none. That is not the same as `.`: see `handlersAt`. */
const folder = () =>
  new Argument('[app]', 'folder of the configuration or of the handler classes').default(
    '',
    'the current folder; if it has a package.json, its configuration must name handlers',
  )

/** For commands that work on the data of an application. They load no handler classes. */
const dataFolder = () => new Argument('[app]', 'folder of the configuration').default('', 'the current folder')

/** Options with the folder of `[app]`, which takes precedence over `--app`. */
const within = <Options extends DataOptions>(app: string, options: Options): Options =>
  app === '' ? options : { ...options, app }

/** Of `[item] [app]`, a single argument that looks like no id is the folder when an option stands for all items. */
function itemAndFolder(
  item: string | undefined,
  app: string,
  isForAll: boolean,
): [item: string | undefined, app: string] {
  const isFolder = isForAll && app === '' && item !== undefined && !/^(?:\d+|[\da-f-]{36})$/i.test(item)
  return isFolder ? [undefined, item] : [item, app]
}

const database = [
  '--database <url>',
  `where the data is; default DATABASE_URL, else the configuration, else ${defaultDatabase}`,
] as const

/**
 * Runs a command to its end.
 * @param words the command line after the name of the program.
 * @returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line.
 */
export async function runCommand(words: readonly string[], output: Output): Promise<number> {
  const program = programOn(output)
  addUserCommands(program, output)
  addDatabaseCommands(program, output)
  addJobCommands(program, output)
  addWordPressCommands(program, output)
  try {
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    return reportError(error, output)
  }
}

/**
 * Prints an error and returns the exit code. An error of the user or of the application has a message and a code of
 * docs/errors.md; any other error is an error of this package, and its stack trace is printed.
 */
function reportError(error: unknown, output: Output): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  // A message may quote the response of another site, or a text of the database.
  output.writeError(`${printable(errorText(error), '\n\t')}\n`)
  return error instanceof CommandError ? error.exitCode : 1
}

function errorText(error: unknown): string {
  // The message of a StartupError has the code of each diagnostic.
  if (error instanceof StartupError) return error.message
  const isExpected = error instanceof CommandError || error instanceof RejectedError || isThrownError(error)
  if (isExpected) return `${error.message} [${error.code}]`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function programOn(output: Output): Command {
  const program = new Command('as-rest-route')
    .description('Serves REST endpoints that are declared by a decorator.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.write(text), writeErr: (text) => output.writeError(text) })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', '\nExit codes: 0 success, 1 failure, 2 invalid command line.')

  program
    .command('serve')
    .description('start an application')
    .addArgument(folder())
    .option('--port <number>', 'default PORT, else 8080; 0 for any free port')
    .option('--host <address>', 'default HOST, else 127.0.0.1; 0.0.0.0 for all addresses')
    .option(...database)
    .option('--wordpress <file>', 'wp-config.php of a site, whose database is used; default WORDPRESS_CONFIG')
    .option('--base-url <url>', 'what links begin with; default: the address on which the service listens')
    .option('--workers <number>', "processes that serve: a number or 'auto', one a processor; default WORKERS, else 1")
    .action(async (app: string, options: object) => (await import('./serve.js')).serve(app, options, output))

  program
    .command('routes')
    .description('list the routes and their permissions')
    .addArgument(folder())
    .option('--json', 'as JSON')
    .option('--as <caller>', "mark what a role, a user or 'anonymous' may call")
    .option(...database)
    .action(async (app: string, options: object) => (await import('./routes.js')).listRoutes(app, options, output))

  program
    .command('check')
    .description('list every fault of the declarations, with file and line, without starting')
    .addArgument(folder())
    .option('--json', 'as JSON')
    .option('--build', 'also build the classes, which runs their constructors, to check what they inject')
    .action(async (app: string, options: object) => (await import('./check.js')).check(app, options, output))
  addToolCommands(program, output)
  return program
}

function addToolCommands(program: Command, output: Output): void {
  program
    .command('explain')
    .description('explain step by step how a request would be answered, without running its handler')
    .argument('<method>', 'GET, POST, …')
    .argument('<path>', 'path with prefix and query, or a URL: /wp-json/shop/v1/products?page=0')
    .addArgument(folder())
    .option('--user <caller>', 'send the request as this role, or as the user with this login, id or e-mail address')
    .option('--basic', 'with an application password (the default with --user)')
    .option('--cookie', 'with a login cookie and its nonce')
    .option('--no-nonce', 'with a login cookie and no nonce')
    .option('--data <body>', 'body: JSON when it begins with { or [, else a form')
    .option('--header <line>', "'Name: value'; may be repeated", appended, [])
    .option('--from <address>', 'address of the client', '127.0.0.1')
    .option('--json', 'as JSON')
    .option(...database)
    .action(async (method: string, path: string, app: string, options: object) =>
      (await import('./explain.js')).explainRequest(method, path, app, options, output),
    )

  program
    .command('openapi')
    .description('print the routes as an OpenAPI 3.1 document')
    .addArgument(folder())
    .option('--base-url <url>', 'URL of the service; default: that of the configuration, else http://localhost:8080')
    .option('--all', 'also the routes of the service itself: users/me, application passwords, batch and the index')
    .action(async (app: string, options: object) => (await import('./openapi.js')).printOpenApi(app, options, output))

  program
    .command('client')
    .description('print a typed client: one file of TypeScript that uses fetch')
    .addArgument(folder())
    .option('--base-url <url>', 'default URL of the service')
    .action(async (app: string, options: object) => (await import('./client.js')).printClient(app, options, output))
}

function addUserCommands(program: Command, output: Output): void {
  const user = program.command('user').description('users of an application')

  addDataCommand(user, 'create', 'create a user')
    .argument('<login>')
    .argument('<email>')
    .addArgument(dataFolder())
    .option('--role <role>', 'administrator, editor, author, contributor, subscriber, or a declared role', 'subscriber')
    .option('--user_pass <password>', 'default: a random one, printed once')
    .option('--display_name <name>', 'default: the login')
    .option('--porcelain', 'print the id only')
    .action(async (login: string, email: string, app: string, options: Parameters<Users['createUser']>[2]) =>
      (await users()).createUser(login, email, within(app, options), output),
    )

  addDataCommand(user, 'update', 'change a user; a new password ends all sessions')
    .argument('<user>', 'id, login or e-mail address')
    .addArgument(dataFolder())
    .option('--role <role>', 'replaces the roles of the user')
    .option('--user_pass [password]', 'without a value: a random one, printed once')
    .option('--user_email <email>')
    .option('--display_name <name>')
    .action(async (name: string, app: string, options: Parameters<Users['updateUser']>[1]) =>
      (await users()).updateUser(name, within(app, options), output),
    )

  addDataCommand(user, 'list', 'list the users')
    .addArgument(dataFolder())
    .option('--role <role>', 'only users with this role')
    .option('--json', 'as JSON')
    .action(async (app: string, options: Parameters<Users['listUsers']>[0]) =>
      (await users()).listUsers(within(app, options), output),
    )

  addDataCommand(
    user,
    'delete',
    'delete a user; the records stay, but on the database of a WordPress site they are deleted without --reassign',
  )
    .argument('<user>', 'id, login or e-mail address')
    .addArgument(dataFolder())
    .option('--reassign <user>', 'the new author of the records')
    .action(async (name: string, app: string, options: Parameters<Users['deleteUser']>[1]) =>
      (await users()).deleteUser(name, within(app, options), output),
    )

  const applicationPassword = user.command('application-password').description('passwords for programs')

  addDataCommand(applicationPassword, 'create', 'create an application password; it is shown once')
    .argument('<user>', 'id, login or e-mail address')
    .argument('<name>', 'name of the password')
    .addArgument(dataFolder())
    .option('--porcelain', 'print the password only')
    .option('--scope <scope...>', "what it may be used for: 'GET /shop/v1/products*'; default: everything")
    .option('--expires <date>', 'when it ends: 2027-01-31')
    .action(
      async (name: string, label: string, app: string, options: Parameters<Users['createApplicationPassword']>[2]) =>
        (await users()).createApplicationPassword(name, label, within(app, options), output),
    )

  addDataCommand(applicationPassword, 'list', "list a user's application passwords")
    .argument('<user>', 'id, login or e-mail address')
    .addArgument(dataFolder())
    .option('--json', 'as JSON')
    .action(async (name: string, app: string, options: Parameters<Users['listApplicationPasswords']>[1]) =>
      (await users()).listApplicationPasswords(name, within(app, options), output),
    )

  addDataCommand(applicationPassword, 'delete', 'revoke one application password, or all')
    .argument('<user>', 'id, login or e-mail address')
    .argument('[uuid]', 'UUID of the password')
    .addArgument(dataFolder())
    .option('--all', 'revoke all')
    .action(
      async (
        name: string,
        uuid: string | undefined,
        app: string,
        options: Parameters<Users['deleteApplicationPassword']>[2],
      ) => {
        const [item, folder] = itemAndFolder(uuid, app, options.all === true)
        await (await users()).deleteApplicationPassword(name, item, within(folder, options), output)
      },
    )
}

function addDatabaseCommands(program: Command, output: Output): void {
  const db = program.command('db').description('database of an application')

  addDataCommand(db, 'status', 'show the server, the versions of the schema, and the rows of each table')
    .addArgument(dataFolder())
    .option('--json', 'as JSON')
    .action(async (app: string, options: DataOptions & { readonly json?: boolean }) =>
      (await import('./database-state.js')).showStatus(within(app, options), output),
    )

  addDataCommand(db, 'migrate', 'bring the tables to the version of this program, as a start does')
    .addArgument(dataFolder())
    .action(async (app: string, options: DataOptions) =>
      (await import('./database-state.js')).migrateTables(within(app, options), output),
    )

  addDataCommand(db, 'check', 'list what is wrong with the tables, keys, triggers and rows; exit code 1 if anything is')
    .addArgument(dataFolder())
    .option('--changed', 'first make running services read everything again, as after TRUNCATE or a restore')
    .option('--json', 'as JSON')
    .action(async (app: string, options: DataOptions & { readonly changed?: boolean; readonly json?: boolean }) =>
      (await import('./database-state.js')).checkTables(within(app, options), output),
    )

  addDataCommand(db, 'backup', 'copy the database into a new file, also while a service uses it')
    .argument('<file>', 'the copy; it must not exist')
    .addArgument(dataFolder())
    .action(async (file: string, app: string, options: DataOptions) =>
      (await import('./database.js')).backUpDatabase(file, within(app, options), output),
    )

  db.command('copy')
    .description('copy all data into an empty database of any kind; run it again to go on after an interruption')
    .argument('<from>', 'address of the database with the data')
    .argument('<to>', 'address of the empty database')
    .addArgument(dataFolder())
    .option('--app <folder>', 'folder of the configuration', '.')
    .addHelpText(
      'after',
      '\nPasswords: of the addresses, else FROM_DATABASE_PASSWORD and TO_DATABASE_PASSWORD, or the files that\n' +
        'FROM_DATABASE_PASSWORD_FILE and TO_DATABASE_PASSWORD_FILE name, else DATABASE_PASSWORD(_FILE) for both.',
    )
    .action(async (from: string, to: string, app: string, options: DataOptions) =>
      (await import('./database-moves.js')).copyData(from, to, within(app, options), output),
    )

  addDataCommand(db, 'export', 'write all data as lines of JSON')
    .argument('[file]', 'a new file; default: standard output')
    .addArgument(dataFolder())
    .action(async (file: string | undefined, app: string, options: DataOptions) =>
      (await import('./database-moves.js')).exportData(file, within(app, options), output),
    )

  addDataCommand(db, 'import', 'read an export into an empty database; run it again to go on after an interruption')
    .argument('[file]', 'default: standard input')
    .addArgument(dataFolder())
    .action(async (file: string | undefined, app: string, options: DataOptions) =>
      (await import('./database-moves.js')).importData(file, within(app, options), output),
    )
}

function addJobCommands(program: Command, output: Output): void {
  const command = program.command('jobs').description('work that waits in the database of an application')

  addDataCommand(command, 'list', 'list the jobs that wait, run or have failed')
    .addArgument(dataFolder())
    .option('--failed', 'only those that have failed')
    .option('--after <id>', 'only those with a higher id')
    .option('--json', 'as JSON, with the payloads')
    .action(async (app: string, options: DataOptions) => (await jobs()).listJobs(within(app, options), output))

  addDataCommand(command, 'retry', 'make a job due now, with all its attempts')
    .argument('[id]', 'id of the job')
    .addArgument(dataFolder())
    .option('--failed', 'all that have failed')
    .action(async (first: string | undefined, last: string, options: Parameters<Jobs['retryJobs']>[1]) => {
      const [id, app] = itemAndFolder(first, last, options.failed === true)
      await (await jobs()).retryJobs(id, within(app, options), output)
    })

  addDataCommand(command, 'remove', 'remove a job')
    .argument('[id]', 'id of the job')
    .addArgument(dataFolder())
    .option('--failed', 'all that have failed')
    .action(async (first: string | undefined, last: string, options: Parameters<Jobs['removeJobs']>[1]) => {
      const [id, app] = itemAndFolder(first, last, options.failed === true)
      await (await jobs()).removeJobs(id, within(app, options), output)
    })
}

function addWordPressCommands(program: Command, output: Output): void {
  const wordpress = program.command('wordpress').description('an existing WordPress site')

  wordpress
    .command('check')
    .description(
      'show what the site is, what is shared with it and what does not work; exit code 1 if it cannot be served',
    )
    .option('--wordpress <file>', 'wp-config.php of the site; default WORDPRESS_CONFIG')
    .option('--json', 'as JSON')
    .action(async (options: object) => (await import('./wordpress-check.js')).checkSite(options, output))

  for (const [change, description] of [
    [
      'install',
      'add a table and triggers of ours that count the writes of PHP, so that rows and responses are kept between requests',
    ],
    ['remove', 'take the table and the triggers of install-tracking away again'],
  ] as const)
    wordpress
      .command(`${change}-tracking`)
      .description(`${description}; prints the SQL first`)
      .option('--wordpress <file>', 'wp-config.php of the site; default WORDPRESS_CONFIG')
      .option('--yes', 'run the SQL without a question')
      .action(async (options: object) =>
        (await import('./wordpress-tracking.js')).changeSiteTracking(change, options, output),
      )

  wordpress
    .command('routes')
    .description('print declarations in TypeScript for the routes of one namespace of a running site')
    .argument('<url>', 'address of the site')
    .option('--namespace <name>', 'such as shop/v1')
    .action(async (url: string, options: object) =>
      (await import('./wordpress-routes.js')).printDeclarations(url, options, output),
    )
}

/** Collects the values of a repeated option. A variadic option would take the folder after it as a value. */
function appended(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value]
}

/** Adds a command that works on the data of an application. */
function addDataCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--app <folder>', 'folder of the configuration', '.')
    .option(...database)
}
