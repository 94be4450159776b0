import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface Options {
  /** Rows to run, by the beginning of their ids; all when empty. */
  readonly only: readonly string[]
  readonly rounds: number
  /** Measured time of a round. */
  readonly seconds: number
  /** Load before each round that is not measured, in seconds. */
  readonly warmUp: number
  /** The same once, after a server has started: code is compiled while it runs. In seconds. */
  readonly breakIn: number
  /** Proves that everything runs; its figures say nothing. */
  readonly quick: boolean
  /** The Node that runs the servers. */
  readonly node: string
  /** Where the figures go as JSON as well. */
  readonly json: string | null
  /** Figures of an earlier run, to be shown instead of measuring. */
  readonly from: string | null
  /** Puts the figures into the documentation. */
  readonly write: boolean
  readonly peers: readonly string[]
  /** A database server to compare with Fastify on, see `openServer`; null for SQLite and all other rows. */
  readonly database: string | null
  /** Another checkout, built, that the throughput rows are compared with; null for none. With a slash at its end. */
  readonly against: string | null
}

export const help = `npm run bench -- [options]

  --quick             two minutes at most: proves that it runs, its figures say nothing
  --only <row>        only rows whose id begins with this; may be given again
  --rounds <number>   how often each server is measured for each row (5)
  --seconds <number>  measured time of each round (2)
  --peers <names>     fastify,node-http,hono,express (all four)
  --node <binary>     the Node that runs the servers (this one)
  --json <file>       the figures as JSON as well
  --write             puts the figures into docs/performance.* and README.md
  --from <file>       does not measure: shows, and writes, the figures of such a JSON file
  --against <folder>  compares the throughput rows with another checkout, built (npm ci). Each round starts both anew
  --database <where>  compares with Fastify on a database server: a postgres:// or mariadb:// URL of a user who may create
                      schemas or databases, or postgres or mariadb to start an installed one
  --no-build          measure dist/ as it is
`

/** @returns null for `--help`. @throws TypeError for an option that does not exist, or does not go with another. */
export function optionsFrom(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      peers: { type: 'string' },
      node: { type: 'string', default: process.execPath },
      json: { type: 'string' },
      from: { type: 'string' },
      against: { type: 'string' },
      database: { type: 'string' },
      write: { type: 'boolean', default: false },
      'no-build': { type: 'boolean' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { quick, write, from } = values
  if (write && from === undefined && (quick || values.only.length > 0)) {
    throw new TypeError('--write needs every row, and more than a quick look at it.')
  }
  const seconds = numberOf('seconds', values.seconds, quick ? 0.3 : 2)
  const peers = values.peers ?? (quick ? 'fastify,node-http' : 'fastify,node-http,hono,express')
  return {
    only: values.only,
    rounds: numberOf('rounds', values.rounds, quick ? 1 : 5),
    seconds,
    warmUp: quick ? 0.1 : 0.3,
    breakIn: quick ? 0.2 : Math.min(2, seconds * 2),
    quick,
    node: values.node,
    json: values.json ?? null,
    from: from ?? null,
    write,
    against: values.against === undefined ? null : `${resolve(values.against)}/`,
    database: values.database ?? null,
    peers: peers.split(',').filter((name) => name !== ''),
  }
}

function numberOf(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const number = Number(text)
  if (!(number > 0)) throw new TypeError(`--${name} takes a number above 0, not '${text}'.`)
  return number
}
