import { hash } from 'node:crypto'

/** The number of an advisory lock with this name. Advisory locks are numbers that all programs of one database share. */
export const lockKey = (name: string): bigint =>
  BigInt.asIntN(64, BigInt(`0x${hash('sha256', `as-rest-route ${name}`).slice(0, 16)}`))
