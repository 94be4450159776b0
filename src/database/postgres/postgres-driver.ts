import { StorageError } from '../storage-error.js'

/** The part of the package `pg` that is used here. Its own types would become a dependency of ours. */
export interface PostgresDriver {
  readonly Client: new (config: ClientConfig) => DriverClient
}

export interface ClientConfig {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  readonly ssl: object | false
  readonly application_name: string
  readonly connectionTimeoutMillis: number
  readonly keepAlive: boolean
  readonly keepAliveInitialDelayMillis: number
  /** Statements are sent without waiting for the results of those before. */
  readonly pipeline: boolean
  readonly types: { getTypeParser(oid: number): (text: string) => unknown }
}

export interface DriverClient {
  /** The process of the server, as the server has told it. */
  readonly processID: number | null
  connect(): Promise<unknown>
  /** The driver copies the own properties of `query`, which takes longer than all else that it does for a short statement. */
  query(
    query: DriverQuery,
    values: readonly (string | null)[],
    callback: (error: Error | null, result: DriverResult) => void,
  ): void
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'end', listener: () => void): void
  readonly connection: {
    readonly stream: {
      destroy(): void
      /** Keeps what is written back until `uncork`. */
      cork(): void
      uncork(): void
    }
  }
}

export interface DriverQuery {
  readonly text: string
  readonly name?: string
  readonly rowMode: 'array'
}

export interface DriverResult {
  readonly command: string | null
  readonly rowCount: number | null
  readonly rows: unknown[][]
}

/** @throws StorageError `unavailable` when the package is not installed. */
export async function postgresDriver(): Promise<PostgresDriver> {
  try {
    const driver: unknown = await import('pg')
    return (driver as { readonly default: PostgresDriver }).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StorageError(
      'unavailable',
      'A database on PostgreSQL needs the package pg, which is not installed. Run: npm install pg',
      { cause: error },
    )
  }
}
