import { StorageError } from '../storage-error.js'

/** The parts of a database address: servers, user, password, database and parameters. */
export interface ServerAddress {
  /** The servers in the order in which they are tried. A host that starts with `/` is the path of a socket. */
  readonly hosts: readonly ServerHost[]
  /** Null: the name of the user that runs the process. */
  readonly user: string | null
  /** Null: see `passwordOf`. */
  readonly password: string | null
  readonly database: string
  readonly parameters: ReadonlyMap<string, string>
}

export interface ServerHost {
  readonly host: string
  readonly port: number
}

export interface AddressRules {
  /** The port of a host without one in the address. */
  readonly defaultPort: number
  /** The allowed names of query parameters. `socket` is allowed for every server and is not listed. */
  readonly parameters: readonly string[]
  /** An example of an address, for error messages. */
  readonly example: string
}

/**
 * Parses `scheme://user:password@host:port,host:port/database?name=value`. The message of an error never contains the
 * address, because it may contain a password.
 * @throws StorageError `unavailable` for an address that names no server or no database.
 */
export function parseServerAddress(address: string, rules: AddressRules): ServerAddress {
  const refuse = (reason: string): never => {
    throw new StorageError('unavailable', `The address of the database ${reason} Example: ${rules.example}`)
  }
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text)
    } catch {
      return refuse('has a % that begins no escape: write %25 for it.')
    }
  }
  const parts = /^[a-z]+:\/\/([^/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/.exec(address)
  if (parts === null)
    return refuse('is malformed, or its password has a /, ? or #: these are written %2F, %3F and %23.')
  const [, authority = '', database = '', query = ''] = parts
  const at = authority.lastIndexOf('@')
  const [user = '', ...password] = authority.slice(0, Math.max(at, 0)).split(':')
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (!rules.parameters.includes(name) && name !== 'socket')
      // With an unescaped ? in the password, the rest of the password is read as a parameter.
      refuse(
        `has ${query.includes('@') ? 'a password with a ?, which is written %3F, or an unknown parameter' : `the unknown parameter '${name}'`}. Use one of: ${[...rules.parameters, 'socket'].join(', ')}.`,
      )
    if (parameters.has(name)) refuse(`has the parameter '${name}' twice.`)
    parameters.set(name, value)
  }
  if (database === '') refuse('names no database.')
  const socket = parameters.get('socket')
  if (socket !== undefined && !socket.startsWith('/')) refuse('has a socket that is not an absolute path.')
  const hosts = authority
    .slice(at + 1)
    .split(',')
    .map((text) => hostOf(text, rules.defaultPort, decoded) ?? refuse('has an invalid host or port.'))
  const [first] = hosts
  if (socket === undefined && hosts.some(({ host }) => host === '')) refuse('names no host.')
  return {
    hosts: socket === undefined ? hosts : [{ host: socket, port: first?.port ?? rules.defaultPort }],
    user: user === '' ? null : decoded(user),
    password: password.length === 0 ? null : decoded(password.join(':')),
    database: decoded(database),
    parameters,
  }
}

/** Null for an invalid host or port. @param text `host`, `host:port`, `[::1]:port`, or the escaped path of a socket. */
function hostOf(text: string, defaultPort: number, decoded: (text: string) => string): ServerHost | null {
  const [, bracketed, plain, portText] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*))(?::(\d+))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = portText === undefined ? defaultPort : Number(portText)
  if (host === undefined || port < 1 || port > 65_535) return null
  return { host: decoded(host), port }
}

/** An address without its password and parameters, for messages. */
export function shownAddress(scheme: string, { hosts, user, database }: ServerAddress): string {
  const shown = hosts.map(({ host, port }) =>
    host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`,
  )
  return `${scheme}://${user === null ? '' : `${encodeURIComponent(user)}@`}${shown.join(',')}/${encodeURIComponent(database)}`
}
