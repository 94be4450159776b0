import { StorageError } from '../storage-error.js'

/** The part of the package `mysql2` that is used here. Its own types would become a dependency of ours. */
export interface MysqlDriver {
  createConnection(config: DriverConfig): DriverConnection
}

export interface DriverConfig {
  readonly host?: string
  readonly port?: number
  readonly socketPath?: string
  readonly user: string
  readonly password: string
  readonly database: string
  readonly ssl?: object
  /** The collation of the handshake, by its name in the driver. */
  readonly charset: string
  readonly connectTimeout: number
  readonly enableKeepAlive: boolean
  readonly keepAliveInitialDelay: number
  /** Flags of the protocol. A minus switches one off. */
  readonly flags: readonly string[]
  readonly connectAttributes: Readonly<Record<string, string>>
  readonly rowsAsArray: boolean
  readonly dateStrings: boolean
  /** Whole numbers that JavaScript cannot hold are read as texts. */
  readonly supportBigNumbers: boolean
  /** Whether JSON is left as text. */
  readonly jsonStrings: boolean
  readonly maxPreparedStatements: number
}

export interface DriverConnection {
  /** Prepares the text once for this connection. */
  execute(options: DriverStatement, callback: DriverCallback): void
  /** Sends the text as it is. */
  query(options: DriverStatement, callback: DriverCallback): void
  on(event: 'connect' | 'end', listener: () => void): void
  on(event: 'error', listener: (error: Error) => void): void
  /** Ends the connection when its statements are answered. */
  end(callback: () => void): void
  destroy(): void
}

export interface DriverStatement {
  readonly sql: string
  readonly values?: readonly unknown[]
}

export type DriverCallback = (
  error: Error | null,
  result: DriverRows | DriverOutcome | undefined,
  columns: readonly { readonly name: string }[] | undefined,
) => void

export type DriverRows = readonly unknown[][]

/** The result of a statement without rows. */
export interface DriverOutcome {
  readonly affectedRows: number
  /** A text for a number that JavaScript cannot hold. */
  readonly insertId: number | string
  /** The flags of the session, of which 1 is an open transaction. */
  readonly serverStatus: number
}

/** @throws StorageError `unavailable` when the package is not installed. */
export async function mysqlDriver(): Promise<MysqlDriver> {
  try {
    const driver: unknown = await import('mysql2')
    return (driver as { readonly default: MysqlDriver }).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StorageError(
      'unavailable',
      'A database on MariaDB or MySQL needs the package mysql2, which is not installed. Run: npm install mysql2',
      { cause: error },
    )
  }
}
