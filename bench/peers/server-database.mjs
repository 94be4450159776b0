// A pool of the driver that the product uses too, as the guide of the driver says: prepared statements, ten connections.
import pg from 'pg'
import mysql from 'mysql2/promise'

/** As many as the product opens. */
const poolSize = 10

/**
 * @param url `postgres://…?schema=…` or `mariadb://…`
 * @returns `kind`, and `prepare(text)`: a function of the values that resolves with the rows, or for a write with
 *   `{ insertId }` on MariaDB. Texts have `?` for each value. Inside `transaction(work)`, `work` receives what the statements
 *   are given as the first argument; null is the pool.
 */
export function openServerDatabase(url) {
  return url.startsWith('postgres') ? openPostgres(url) : openMariadb(url)
}

function openPostgres(url) {
  const address = new URL(url)
  const schema = address.searchParams.get('schema')
  address.search = ''
  const pool = new pg.Pool({
    connectionString: String(address),
    max: poolSize,
    ...(schema !== null && { options: `-c search_path=${schema}` }),
    types: { getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)) },
  })
  let count = 0
  return {
    kind: 'postgres',
    prepare(text) {
      const name = `s${(count += 1)}`
      let place = 0
      const numbered = text.replaceAll('?', () => `$${(place += 1)}`)
      return async (client, ...values) => (await (client ?? pool).query({ name, text: numbered, values })).rows
    },
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        const result = await work(client)
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}

function openMariadb(url) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const socketPath = searchParams.get('socket')
  const pool = mysql.createPool({
    ...(socketPath === null ? { host: hostname, port: Number(port || 3306) } : { socketPath }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    connectionLimit: poolSize,
    charset: 'UTF8MB4_UNICODE_520_CI',
    dateStrings: true,
  })
  return {
    kind: 'mariadb',
    prepare:
      (text) =>
      async (connection, ...values) =>
        (await (connection ?? pool).execute(text, values))[0],
    async transaction(work) {
      const connection = await pool.getConnection()
      try {
        await connection.beginTransaction()
        const result = await work(connection)
        await connection.commit()
        return result
      } catch (error) {
        await connection.rollback()
        throw error
      } finally {
        connection.release()
      }
    },
    close: () => pool.end(),
  }
}
