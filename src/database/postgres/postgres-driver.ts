import { StorageError } from '../storage-error.js'
import { acceptQueries, type DriverConnection, type PostgresQuery } from './postgres-query.js'

/** The part of the package `pg` that is used here. Its own types would become a dependency of ours. */
export interface PostgresDriver {
  readonly Client: new (config: ClientConfig) => DriverClient
  readonly Query: { readonly prototype: object }
}

export interface ClientConfig {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  readonly ssl: object | false
  readonly application_name: string
  readonly keepAlive: boolean
  readonly keepAliveInitialDelayMillis: number
  /** Statements are sent without waiting for the results of those before. */
  readonly pipeline: boolean
}

export interface DriverClient {
  /** The id of the server process of the connection. */
  readonly processID: number | null
  connect(): Promise<unknown>
  query(query: PostgresQuery): void
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'end', listener: () => void): void
  readonly connection: DriverConnection
}

/** @throws StorageError `unavailable` when the package is not installed. */
export async function postgresDriver(): Promise<PostgresDriver> {
  try {
    const module: unknown = await import('pg')
    const driver = (module as { readonly default: PostgresDriver }).default
    acceptQueries(driver.Query)
    return driver
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StorageError(
      'unavailable',
      'A database on PostgreSQL needs the package pg, which is not installed. Run: npm install pg',
      { cause: error },
    )
  }
}
