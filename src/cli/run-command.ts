import { readFileSync } from 'node:fs'
import { Argument, Command, CommanderError } from 'commander'
import { defaultDatabase } from '../app/database-addresses.js'
import { StartupError } from '../app/startup-error.js'
import { RejectedError } from '../http/rejected-error.js'
import { SeedError } from '../app/seed-error.js'
import { StorageError } from '../database/storage-error.js'
import { CommandError } from './fail.js'
import type { Output } from './output.js'

// Each command is imported when it is given: to serve takes nothing of what the others need, and starts sooner.
const users = () => import('./users.js')
type Users = Awaited<ReturnType<typeof users>>

const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve('as-rest-route/package.json')), 'utf8')) as {
  readonly version: string
}

/** Empty when nobody gave one, which is not the same as saying `.`. */
const folder = () =>
  new Argument('[app]', 'folder of the configuration or of the handler classes').default('', 'the current folder')
const database = [
  '--database <url>',
  `where the data is; default DATABASE_URL, else the configuration, else ${defaultDatabase}`,
] as const

/**
 * Runs a command to its end.
 * @param given what stands after the name of the program.
 * @returns the exit code: 0 done, 1 failed, 2 wrongly used.
 */
export async function runCommand(given: readonly string[], output: Output): Promise<number> {
  const program = programOn(output)
  addUserCommands(program, output)
  try {
    await program.parseAsync(given, { from: 'user' })
    return 0
  } catch (error) {
    return exitCodeOf(error, output)
  }
}

/** Faults of the user and of his application are told in a line; only a fault of ours has a trace. */
function exitCodeOf(error: unknown, output: Output): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const expected =
    error instanceof CommandError ||
    error instanceof StartupError ||
    error instanceof SeedError ||
    error instanceof StorageError ||
    error instanceof RejectedError
  output.complain(`${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  return error instanceof CommandError ? error.exitCode : 1
}

function programOn(output: Output): Command {
  const program = new Command('as-rest-route')
    .description('Serves REST endpoints that are declared by a decorator.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.write(text), writeErr: (text) => output.complain(text) })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrongly used.')

  program
    .command('serve')
    .description('start an application')
    .addArgument(folder())
    .option('--port <number>', 'default PORT, else 8080; 0 lets the system choose')
    .option('--host <address>', 'default HOST, else 127.0.0.1; 0.0.0.0 for all addresses')
    .option(...database)
    .option('--base-url <url>', 'what links begin with; default: where it listens')
    .option('--workers <number>', 'how many processes this command starts; only 1 so far')
    .action(async (app: string, options: object) => (await import('./serve.js')).serve(app, options, output))

  program
    .command('routes')
    .description('list the routes, and who may call what')
    .addArgument(folder())
    .option('--json', 'as JSON')
    .option('--as <caller>', "mark what a role, a user or 'anonymous' may call")
    .option(...database)
    .action(async (app: string, options: object) => (await import('./routes.js')).listRoutes(app, options, output))

  program
    .command('check')
    .description('find every fault of the declarations, with file and line, without starting')
    .addArgument(folder())
    .option('--json', 'as JSON')
    .action(async (app: string, options: object) => (await import('./check.js')).check(app, options, output))
  addToolCommands(program, output)
  return program
}

function addToolCommands(program: Command, output: Output): void {
  program
    .command('explain')
    .description('say step by step how a request would be answered and why, without running its handler')
    .argument('<method>', 'GET, POST, …')
    .argument('<path>', 'with prefix and query, or a whole address: /wp-json/shop/v1/products?page=0')
    .addArgument(folder())
    .option('--user <caller>', 'on behalf of a role, or of the user with this login, id or address')
    .option('--basic', 'who sends an application password (the default with --user)')
    .option('--cookie', 'who sends a login cookie and its nonce')
    .option('--no-nonce', 'who sends a login cookie and no nonce')
    .option('--data <body>', 'JSON when it begins with { or [, else a form')
    .option('--header <line>', "'Name: value'; as often as needed", collected, [])
    .option('--from <address>', 'where it comes from', '127.0.0.1')
    .option('--json', 'as JSON')
    .option(...database)
    .action(async (method: string, path: string, app: string, options: object) =>
      (await import('./explain.js')).explainRequest(method, path, app, options, output),
    )

  program
    .command('openapi')
    .description('print the routes as an OpenAPI 3.1 document')
    .addArgument(folder())
    .option('--base-url <url>', 'where the service is; default: that of the configuration, else http://localhost:8080')
    .action(async (app: string, options: object) => (await import('./openapi.js')).printOpenApi(app, options, output))

  program
    .command('client')
    .description('print a typed client: one file of TypeScript that needs nothing but fetch')
    .addArgument(folder())
    .option('--base-url <url>', 'where the service is, unless the client is told otherwise')
    .action(async (app: string, options: object) => (await import('./client.js')).printClient(app, options, output))
}

function addUserCommands(program: Command, output: Output): void {
  const user = program.command('user').description('users of an application')

  onData(user, 'create', 'create a user')
    .argument('<login>')
    .argument('<email>')
    .option(
      '--role <role>',
      'administrator, editor, author, contributor, subscriber, or one that is declared',
      'subscriber',
    )
    .option('--user_pass <password>', 'default: a random one, printed once')
    .option('--display_name <name>', 'default: the login')
    .option('--porcelain', 'print the id only')
    .action(async (login: string, email: string, options: Parameters<Users['createUser']>[2]) =>
      (await users()).createUser(login, email, options, output),
    )

  onData(user, 'update', 'change a user; a new password ends all sessions')
    .argument('<user>', 'id, login or e-mail address')
    .option('--role <role>', 'instead of the present ones')
    .option('--user_pass [password]', 'without a value: a random one, printed once')
    .option('--user_email <email>')
    .option('--display_name <name>')
    .action(async (name: string, options: Parameters<Users['updateUser']>[1]) =>
      (await users()).updateUser(name, options, output),
    )

  onData(user, 'list', 'list the users')
    .option('--role <role>', 'only users with this role')
    .option('--json', 'as JSON')
    .action(async (options: Parameters<Users['listUsers']>[0]) => (await users()).listUsers(options, output))

  onData(user, 'delete', 'delete a user; the records stay')
    .argument('<user>', 'id, login or e-mail address')
    .option('--reassign <user>', 'who gets the records')
    .action(async (name: string, options: Parameters<Users['deleteUser']>[1]) =>
      (await users()).deleteUser(name, options, output),
    )

  const applicationPassword = user.command('application-password').description('passwords for programs, one each')

  onData(applicationPassword, 'create', 'create an application password; it is shown once')
    .argument('<user>', 'id, login or e-mail address')
    .argument('<name>', 'what it is for')
    .option('--porcelain', 'print the password only')
    .action(async (name: string, label: string, options: Parameters<Users['createApplicationPassword']>[2]) =>
      (await users()).createApplicationPassword(name, label, options, output),
    )

  onData(applicationPassword, 'list', "list a user's application passwords")
    .argument('<user>', 'id, login or e-mail address')
    .option('--json', 'as JSON')
    .action(async (name: string, options: Parameters<Users['listApplicationPasswords']>[1]) =>
      (await users()).listApplicationPasswords(name, options, output),
    )

  onData(applicationPassword, 'delete', 'revoke one application password, or all')
    .argument('<user>', 'id, login or e-mail address')
    .argument('[uuid]', 'which one')
    .option('--all', 'all of them')
    .action(
      async (name: string, uuid: string | undefined, options: Parameters<Users['deleteApplicationPassword']>[2]) =>
        (await users()).deleteApplicationPassword(name, uuid, options, output),
    )
}

/** An option that may be given several times; one that took all words behind it would take the folder as well. */
function collected(value: string, others: readonly string[]): readonly string[] {
  return [...others, value]
}

/** A command that works on the data of an application. */
function onData(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--app <folder>', 'folder of the configuration', '.')
    .option(...database)
}
