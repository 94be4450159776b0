import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { root, workFolder } from '../places.js'
import { secrets, siteUrl } from '../servers/commands.js'

export interface Credentials {
  /** Of the application password. */
  readonly authorization: string
  readonly cookie: string
  readonly nonce: string
  /** Ascending. */
  readonly productIds: readonly number[]
}

export interface Data {
  /** Absolute path of the database. */
  readonly file: string
  readonly credentials: Credentials
}

/**
 * Makes a database as the product does, with its user, products and posts.
 * @param checkout whose build makes it: an older one cannot read the tables of a newer one.
 */
export function makeData(node: string, products: number, posts: number, checkout = root): Data {
  mkdirSync(workFolder, { recursive: true })
  const file = `${workFolder}shop-${products}.sqlite`
  removeDatabase(file)
  const settings = JSON.stringify({ siteUrl, products, posts, synchronous: 'NORMAL' })
  const credentialsFile = `${file}.json`
  runNode(node, ['bench/data/make.mjs', file, settings, credentialsFile], checkout)
  return { file, credentials: JSON.parse(readFileSync(credentialsFile, 'utf8')) as Credentials }
}

/** The same database with so many products, the new ones older than all others. */
export function grownData(node: string, { file, credentials }: Data, products: number): Data {
  const grown = copyOf(file, `shop-${products}`)
  runNode(node, ['bench/data/grow.mjs', grown, String(products)])
  return { file: grown, credentials }
}

/** A database of its own for a server that writes. */
export function copyOf(file: string, name: string): string {
  const copy = `${workFolder}${name}.sqlite`
  removeDatabase(copy)
  copyFileSync(file, copy)
  return copy
}

/** The same for a server that is not the product: without what the product has put beside the data. */
export function plainCopyOf(node: string, file: string, name: string): string {
  const copy = copyOf(file, name)
  runNode(node, ['bench/data/drop-triggers.mjs', copy])
  return copy
}

export function removeDatabase(file: string): void {
  for (const part of [file, `${file}-wal`, `${file}-shm`, `${file}.json`]) rmSync(part, { force: true })
}

function runNode(node: string, args: readonly string[], cwd = root): void {
  const { status } = spawnSync(node, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...secrets },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${args[0]} failed.`)
}
