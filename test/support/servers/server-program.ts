import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** How a kind of database server is installed, initialised and run. */
export interface ServerProgram {
  readonly name: string
  readonly debianPackage: string
  /** The environment variable with the address of a server that runs already. */
  readonly variable: string
  /** Whom the server runs as when root starts it: the first of these users that exists. */
  readonly users: readonly string[]
  readonly initialise: string
  readonly server: string
  /** Folders of these programs that are not in PATH, the preferred ones first. */
  readonly folders: () => readonly string[]
  /** Files that the programs read, by name. They are in the server's folder. */
  readonly files: (password: string) => Readonly<Record<string, string>>
  readonly initialiseArguments: (folder: string) => readonly string[]
  /** @param settings each `name=value`, in the words of the server. */
  readonly serverArguments: (
    at: { readonly folder: string; readonly port: number },
    settings: readonly string[],
  ) => string[]
  /** In its output, when it takes connections. */
  readonly readyLine: RegExp
  /** Ends it in order, however many clients are connected. */
  readonly stopSignal: NodeJS.Signals
  /** Ends it at once, with nothing left outside of its folder. */
  readonly dropSignal: NodeJS.Signals
  /** The address for a user with all rights, of a database that is there and empty. */
  readonly url: (at: { readonly port: number; readonly password: string }) => string
}

export interface ProgramPaths {
  readonly initialise: string
  readonly server: string
}

/** Absolute paths; null when the server is not installed. */
export function findPrograms({
  initialise,
  server,
  folders,
}: Pick<ServerProgram, 'initialise' | 'server' | 'folders'>): ProgramPaths | null {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const find = (program: string) =>
    [...folders(), ...path].map((folder) => join(folder, program)).find((file) => isExecutable(file))
  const paths = { initialise: find(initialise), server: find(server) }
  return paths.initialise !== undefined && paths.server !== undefined ? (paths as ProgramPaths) : null
}

/** @throws Error when the server is not installed. */
export function requirePrograms(program: ServerProgram): ProgramPaths {
  const paths = findPrograms(program)
  if (paths === null) throw new Error(`${program.name} is not installed.`)
  return paths
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/**
 * The user that a server runs as; null for the user of this process. Databases refuse to run as root.
 * @throws Error when none of the users exists.
 */
export function serverUser({ name, users }: Pick<ServerProgram, 'name' | 'users'>): SystemUser | null {
  if (process.getuid?.() !== 0) return null
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const entry = users.map((user) => entries.find(([login]) => login === user)).find((account) => account !== undefined)
  if (entry === undefined) throw new Error(`${name} does not run as root, and none of ${users.join(', ')} exists.`)
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}
