import { mariadbProgram } from './mariadb-program.js'
import { postgresProgram } from './postgres-program.js'
import { redisProgram } from './redis-program.js'
import type { ServerProgram } from './server-program.js'

/** The servers that tests know. */
export type ServerKind = DatabaseKind | 'redis'

/** Those that `freshDatabase` makes databases on. */
export type DatabaseKind = 'postgres' | 'mariadb'

export const serverPrograms: Readonly<Record<ServerKind, ServerProgram>> = {
  postgres: postgresProgram,
  mariadb: mariadbProgram,
  redis: redisProgram,
}

export const isDatabaseKind = (name: string): name is DatabaseKind =>
  Object.hasOwn(serverPrograms, name) && name !== 'redis'
