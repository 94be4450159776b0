import { hash } from 'node:crypto'

/** The number of the advisory lock with this name. The numbers are shared by all programs that use the database. */
export const lockKey = (name: string): bigint =>
  BigInt.asIntN(64, BigInt(`0x${hash('sha256', `as-rest-route ${name}`).slice(0, 16)}`))
