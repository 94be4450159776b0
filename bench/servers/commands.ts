import { dirname } from 'node:path'
import { root } from '../places.js'
import type { ServerCommand } from './server.js'

/** What links begin with, whatever port a server has. */
export const siteUrl = 'http://shop.example'

/** WordPress's secrets, the same for everybody. */
export const secrets: Readonly<Record<string, string>> = Object.fromEntries(
  ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) =>
    ['KEY', 'SALT'].map((half) => [`${name}_${half}`, `${name} ${half} of the benchmark `.padEnd(64, '#')]),
  ),
)

export interface Settings {
  readonly node: string
  /** Absolute path. */
  readonly database: string
  readonly synchronous: 'FULL' | 'NORMAL'
}

export const productName = 'as-rest-route'

/** The product as in production: its own command, on the example's handler classes. */
export function product({ node, database, synchronous }: Settings, application = 'bench/application'): ServerCommand {
  return {
    name: productName,
    command: [node, 'dist/cli/main.js', 'serve', application, '--base-url', siteUrl],
    environment: { ...secrets, DATABASE_URL: `sqlite:${database}`, BENCH_SYNCHRONOUS: synchronous },
    readyPath: '/wp-json/bench/v1/hello',
  }
}

/** What a person types. */
export function npmStart({ node, database }: Settings): ServerCommand {
  return {
    name: 'npm start',
    command: ['npm', 'start', '--silent'],
    environment: {
      ...secrets,
      DATABASE_URL: `sqlite:${database}`,
      PATH: `${dirname(node)}:${process.env['PATH'] ?? ''}`,
    },
    readyPath: '/wp-json/shop/v1/products',
    marker: 'dist/cli/main.js',
  }
}

/** The same without npm around it. */
export function plainStart(settings: Settings): ServerCommand {
  const { environment, readyPath } = npmStart(settings)
  const command = [settings.node, 'dist/cli/main.js', 'serve', 'examples/shop']
  return { name: 'serve examples/shop', command, environment, readyPath }
}

/** @param name `fastify`, `node-http`, `hono` or `express`. */
export function peer(name: string, { node, database, synchronous }: Settings, routes = 0): ServerCommand {
  return {
    name,
    command: [node, `${root}bench/peers/${name}.mjs`],
    environment: {
      ...secrets,
      DATABASE_FILE: database,
      SYNCHRONOUS: synchronous,
      SITE_URL: siteUrl,
      ROUTES: String(routes),
    },
    readyPath: '/wp-json/bench/v1/hello',
  }
}
