import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { applicationFolder, root } from '../places.js'
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
  /** Absolute path, or the URL of a database on a server. */
  readonly database: string
  readonly synchronous: 'FULL' | 'NORMAL'
}

export const productName = 'as-rest-route'
export const beforeName = 'before'

/** The product as in production: its own command, on the example's handler classes without `cache`. */
export function product({ node, database, synchronous }: Settings, application = applicationFolder): ServerCommand {
  return {
    name: productName,
    command: [node, 'dist/cli/main.js', 'serve', application, '--base-url', siteUrl],
    environment: {
      ...secrets,
      DATABASE_URL: database.includes('://') ? database : `sqlite:${database}`,
      BENCH_SYNCHRONOUS: synchronous,
    },
    readyPath: '/wp-json/bench/v1/hello',
  }
}

/** The product on the database of a WordPress site. @param config its wp-config.php. */
export function productOnWordPress(node: string, config: string): ServerCommand {
  return {
    name: productName,
    command: [node, 'dist/cli/main.js', 'serve', applicationFolder, '--wordpress', config],
    environment: {},
    readyPath: '/wp-json/bench/v1/hello',
  }
}

/** The same with several processes. */
export function withWorkers(server: ServerCommand, count: number): ServerCommand {
  return {
    ...server,
    name: `${server.name}, ${count} workers`,
    command: [...server.command, '--workers', String(count)],
  }
}

/** The example as it is, with the `cache` of its declarations. */
export function exampleShop(settings: Settings): ServerCommand {
  return {
    ...product(settings),
    command: [...startScript(settings), '--base-url', siteUrl],
    readyPath: '/wp-json/shop/v1/products',
  }
}

/** What `product` and `exampleShop` start, of another checkout that is built. @param folder with a slash at its end. */
export function before(folder: string, cached: boolean, settings: Settings): ServerCommand {
  const command = cached ? exampleShop(settings) : product(settings, `${folder}bench/dist/`)
  return { ...command, name: beforeName, folder }
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

/** npm and Node by themselves: a server that does nothing before it listens, started in the same way. */
export function npmStartOfPeer(name: string, settings: Settings): ServerCommand {
  const { environment, readyPath } = peer(name, settings)
  const { command, environment: started } = npmStart(settings)
  const [npm = 'npm', ...rest] = command
  return {
    name: `npm start of ${name}`,
    command: [npm, '--prefix', `${root}bench/peers`, ...rest],
    environment: { ...environment, PATH: started['PATH'] ?? '', PEER: `${name}.mjs` },
    readyPath,
    marker: `${name}.mjs`,
  }
}

/** The same without npm around it. */
export function plainStart(settings: Settings): ServerCommand {
  const { environment, readyPath } = npmStart(settings)
  return { name: 'the same without npm', command: startScript(settings), environment, readyPath }
}

function startScript({ node }: Settings): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: { start: string } }
  return scripts.start.split(' ').map((word) => (word === 'node' ? node : word))
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

/** Fastify on a database server. */
export function fastifyOnServer({ node, database }: Settings): ServerCommand {
  return {
    name: 'fastify',
    command: [node, `${root}bench/peers/fastify-on-server.mjs`],
    environment: { ...secrets, DATABASE_URL: database, SITE_URL: siteUrl },
    readyPath: '/wp-json/bench/v1/hello',
  }
}
