import { workloads, type Workload } from '../rows/workload.js'
import type { DatabaseKind } from '../../test/support/servers/server-programs.js'

/** A kind of request to services that have their data on a database server. */
export interface ServerWorkload extends Workload {
  /** Requests per CPU-second of the service, at least so many times Fastify's; null for no target. */
  readonly targets: Readonly<Record<DatabaseKind, number>> | null
  readonly connections: number
  /** The type whose records another process writes; null for none. */
  readonly writtenType: 'product' | 'post' | null
}

function workload(id: string, target: number | null, change: Partial<ServerWorkload> = {}): ServerWorkload {
  const base = workloads.find((each) => each.id === id)
  if (base === undefined) throw new Error(`There is no row '${id}'.`)
  return {
    ...base,
    title: base.title.replace(/, (?:no cache|synchronous=FULL)/, ''),
    targets: target === null ? null : { postgres: target, mariadb: target },
    connections: 50,
    writtenType: null,
    ...change,
  }
}

const writes = 'writes a second by another process'

/** The last one adds products, which no other may meet. */
export const serverWorkloads: readonly ServerWorkload[] = [
  workload('list', 3),
  workload('list', null, { id: 'list-alone', title: 'the list, one connection', connections: 1 }),
  workload('partial', 3),
  workload('product', 2.5),
  workload('written-list', 2, { title: `the list, 100 ${writes} to products`, writtenType: 'product' }),
  workload('written-list', 2, {
    id: 'written-beside-list',
    title: `the list, 100 ${writes} to posts`,
    writtenType: 'post',
  }),
  workload('password', 2.5),
  workload('cookie', 2),
  workload('post-full', null, {
    id: 'post',
    title: 'POST product with application password',
    targets: { postgres: 1.5, mariadb: 1.3 },
  }),
]

/** The product's cost on the database server for a list, at most so many times Fastify's. */
export const databaseTarget = 0.1

/** Rows that two workers are measured with. */
export const workerIds: readonly string[] = ['list', 'product', 'password', 'cookie']

/** How many connections they are measured with. Each worker has half of them. */
export const workersConnections: readonly number[] = [50, 200]

/** Requests per CPU-second of two workers, at least so many times one's. */
export const workersTarget = 0.85
