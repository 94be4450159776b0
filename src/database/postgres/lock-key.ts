import { createHash } from 'node:crypto'

/** The number of an advisory lock with this name. Advisory locks are numbers that all programs of one database share. */
export const lockKey = (name: string): bigint =>
  createHash('sha256').update(`as-rest-route ${name}`).digest().readBigInt64BE()
