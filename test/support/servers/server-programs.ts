import { mariadbProgram } from './mariadb-program.js'
import { postgresProgram } from './postgres-program.js'
import type { ServerProgram } from './server-program.js'

/** The servers that tests know. */
export type ServerKind = 'postgres' | 'mariadb'

export const serverPrograms: Readonly<Record<ServerKind, ServerProgram>> = {
  postgres: postgresProgram,
  mariadb: mariadbProgram,
}

export const isServerKind = (name: string): name is ServerKind => Object.hasOwn(serverPrograms, name)
