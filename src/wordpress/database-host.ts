/** The address of the database server of a site. */
export type DatabaseHost =
  | { readonly socketPath: string }
  | {
      /** A name or an address; an IPv6 address without brackets. */
      readonly host: string
      readonly port: number
    }

const defaultPort = 3306

/**
 * Parses the constant DB_HOST in WordPress's forms: `host`, `host:port`, `host:/path/of/socket`, `[::1]:port`, `::1`.
 * @returns null for none of them.
 */
export function databaseHost(text: string): DatabaseHost | null {
  const socket = text.indexOf(':/')
  if (socket !== -1) return { socketPath: text.slice(socket + 1) }
  if (text.startsWith('/')) return { socketPath: text }
  const [, bracketed, plain, address, portText] =
    /^(?:\[([\da-fA-F:.]+)\]|([^:/[\]\s]*)|([\da-fA-F]*:[\da-fA-F:.]*:[\da-fA-F:.]*))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain ?? address
  const port = portText === undefined ? defaultPort : Number(portText)
  if (host === undefined || port < 1 || port > 65_535) return null
  // PHP's driver takes an empty host for localhost.
  return { host: host === '' ? 'localhost' : host, port }
}

/**
 * The address of a database for the option `database`.
 * @param findSocket finds the socket of the server on this machine, which PHP's driver uses for `localhost`; null for none.
 */
export function databaseAddress(
  { host, user, password, name }: { host: DatabaseHost; user: string; password: string; name: string },
  findSocket: () => string | null,
): string {
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  const database = encodeURIComponent(name)
  // PHP's driver ignores the port of localhost.
  const socketPath = 'socketPath' in host ? host.socketPath : host.host === 'localhost' ? findSocket() : null
  if (socketPath !== null) return `mariadb://${login}@localhost/${database}?socket=${encodeURIComponent(socketPath)}`
  const { host: server, port } = host as { host: string; port: number }
  return `mariadb://${login}@${server.includes(':') ? `[${server}]` : server}:${port}/${database}`
}
