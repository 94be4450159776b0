// The same SQLite library as the product's, with the product's settings.

/** @returns {Promise<{ prepare(text: string): { get(...values: unknown[]): any, all(...values: unknown[]): any[], run(...values: unknown[]): { lastInsertRowid: number | bigint } }, exec(text: string): void }>} */
export async function openDatabase(file, synchronous) {
  const database = await connect(file)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec(`PRAGMA synchronous = ${synchronous}`)
  database.exec('PRAGMA cache_size = -16384')
  database.exec('PRAGMA wal_autocheckpoint = 2000')
  database.exec('PRAGMA journal_size_limit = 67108864')
  database.exec('PRAGMA busy_timeout = 5000')
  return database
}

async function connect(file) {
  const builtIn = process.getBuiltinModule?.('node:sqlite')
  if (builtIn) return new builtIn.DatabaseSync(file)
  const { default: Database } = await import('libsql')
  return new Database(file)
}
