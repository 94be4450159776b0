import { parseArgs } from 'node:util'
import { databaseFault } from '../../src/app/stores.js'
import { StorageError } from '../../src/database/storage-error.js'
import { loadProducts } from './load-products.js'

const help = `npm run bench:load -- --database <URL> [options]

  --database <URL>     postgres://, mariadb:// or sqlite:; the tables are created when there are none
  --products <number>  how many there shall be, each with three rows of metadata and a category (1000000)
  --batch <number>     products of one transaction, at most 10000 (10000)

A load that was interrupted is continued by the same command. Products are 'publish' but for one of 50.
`

/** @returns null for `--help`. @throws TypeError for a wrong option. */
function optionsFrom(args: readonly string[]): { database: string; products: number; batch: number } | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      database: { type: 'string' },
      products: { type: 'string', default: '1000000' },
      batch: { type: 'string', default: '10000' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { database } = values
  if (database === undefined) throw new TypeError('--database names the database to fill. --help lists the options.')
  const fault = databaseFault(database)
  if (fault !== null) throw new TypeError(fault.message)
  const numberOf = (name: 'products' | 'batch'): number => {
    const value = Number(values[name])
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`--${name} takes a whole number above 0, not '${values[name]}'.`)
    return value
  }
  return { database, products: numberOf('products'), batch: numberOf('batch') }
}

try {
  const options = optionsFrom(process.argv.slice(2))
  if (options === null) process.stdout.write(help)
  else {
    const { database, products, batch } = options
    const start = performance.now()
    const seconds = (): number => (performance.now() - start) / 1000
    const tell = (loaded: number): void => {
      process.stderr.write(`${loaded} of ${products} products, ${seconds().toFixed(0)} s\n`)
    }
    const added = await loadProducts(database, { products, batch, onProgress: tell })
    process.stdout.write(`${added} products and ${added * 3} rows of metadata in ${seconds().toFixed(1)} s\n`)
  }
} catch (error) {
  const isReadable = error instanceof TypeError || error instanceof StorageError
  process.stderr.write(`${isReadable ? error.message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
