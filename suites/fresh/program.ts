import { createConnection, type Connection } from 'mysql2/promise'
import { Client } from 'pg'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'

type Value = string | number

/** Runs statements with `?` for each value. */
interface Session {
  /** @param idColumn of a new row; null for a statement without one. @returns the id of the new row, else 0. */
  run(text: string, values: readonly Value[], idColumn: string | null): Promise<number>
  close(): Promise<void> | void
}

/** Another program on the database, which knows SQL and nothing of the services. Its statements follow each other. */
export class ForeignProgram {
  readonly #open: () => Promise<Session>
  #session: Promise<Session> | null = null
  #last: Promise<unknown> = Promise.resolve()

  private constructor(open: () => Promise<Session>) {
    this.#open = open
  }

  /** @param url of the database of the services; on PostgreSQL with the schema of their tables. */
  static async open(url: string): Promise<ForeignProgram> {
    const program = new ForeignProgram(() => sessionOf(url))
    await program.#inTurn(async () => 0)
    return program
  }

  insertPost(title: string): Promise<number> {
    return this.#run(
      `INSERT INTO wp_posts (post_title, post_name, post_type, post_date, post_date_gmt, post_content, post_excerpt, to_ping,
      pinged, post_content_filtered) VALUES (?, ?, 'post', '2026-01-01 00:00:00', '2026-01-01 00:00:00', '', '', '', '', '')`,
      [title, `post-${title}`],
      'ID',
    )
  }

  async retitle(id: number, title: string): Promise<void> {
    await this.#run('UPDATE wp_posts SET post_title = ? WHERE ID = ?', [title, id])
  }

  async rename(id: number, name: string): Promise<void> {
    await this.#run('UPDATE wp_users SET display_name = ? WHERE ID = ?', [name, id])
  }

  /** A subscriber whose password nobody knows. */
  async insertUser(login: string): Promise<number> {
    const id = await this.#run(
      `INSERT INTO wp_users (user_login, user_pass, user_nicename, user_email, display_name, user_registered)
      VALUES (?, ?, ?, ?, ?, '2026-01-01 00:00:00')`,
      [login, passwordHash, login, `${login}@fresh.example`, '0'],
      'ID',
    )
    const roles = 'a:1:{s:10:"subscriber";b:1;}'
    await this.#run(`INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (?, 'wp_capabilities', ?)`, [
      id,
      roles,
    ])
    return id
  }

  async removeMetadata(userId: number, key: string): Promise<void> {
    await this.#run('DELETE FROM wp_usermeta WHERE user_id = ? AND meta_key = ?', [userId, key])
  }

  async removeUser(id: number): Promise<void> {
    await this.#run('DELETE FROM wp_usermeta WHERE user_id = ?', [id])
    await this.#run('DELETE FROM wp_users WHERE ID = ?', [id])
  }

  async close(): Promise<void> {
    await this.#last
    await (await this.#session)?.close()
  }

  #run(text: string, values: readonly Value[], idColumn: string | null = null): Promise<number> {
    return this.#inTurn((session) => session.run(text, values, idColumn))
  }

  /** After a failure the next statement opens another session. @throws what the database says. */
  #inTurn(work: (session: Session) => Promise<number>): Promise<number> {
    const result = this.#last.then(async () => {
      const opening = (this.#session ??= this.#open())
      try {
        return await work(await opening)
      } catch (error) {
        this.#session = null
        void opening.then((session) => session.close()).catch(() => undefined)
        throw error
      }
    })
    this.#last = result.catch(() => undefined)
    return result
  }
}

function sessionOf(url: string): Promise<Session> {
  if (url.startsWith('sqlite:')) return sqliteSession(url.slice('sqlite:'.length))
  return url.startsWith('postgres') ? postgresSession(url) : mysqlSession(url)
}

async function sqliteSession(path: string): Promise<Session> {
  const client = (await sqliteLibrary())(path)
  for (const setting of ['busy_timeout = 10000', 'synchronous = NORMAL']) client.prepare(`PRAGMA ${setting}`).all([])
  return {
    run: async (text, values) => client.prepare(text).run(values).lastInsertRowid,
    close: () => client.close(),
  }
}

/** The session of the first host that is a primary. */
async function postgresSession(url: string): Promise<Session> {
  const [, userInfo = '', hosts = '', rest = ''] = /^postgres(?:ql)?:\/\/([^@]*@)?([^/]*)\/(.*)$/.exec(url) ?? []
  const [database = '', query = ''] = rest.split('?')
  const schema = new URLSearchParams(query).get('schema') ?? 'public'
  let failure: unknown
  for (const host of hosts.split(',')) {
    const client = new Client({
      connectionString: `postgres://${userInfo}${host}/${database}`,
      connectionTimeoutMillis: 2000,
      statement_timeout: 10_000,
      query_timeout: 15_000,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
      if (rows[0]?.standby !== false) throw new Error(`${host} is a standby.`)
      await client.query(`SET search_path = "${schema}"`)
      await client.query('SET synchronous_commit = on')
      return {
        async run(text, values, idColumn) {
          let count = 0
          const numbered = text.replaceAll('?', () => `$${(count += 1)}`)
          const result = await client.query<[string]>({
            text: idColumn === null ? numbered : `${numbered} RETURNING ${idColumn}`,
            values: [...values],
            rowMode: 'array',
          })
          return Number(result.rows[0]?.[0] ?? 0)
        },
        close: () => client.end(),
      }
    } catch (error) {
      failure = error
      await client.end().catch(() => undefined)
    }
  }
  throw failure
}

async function mysqlSession(url: string): Promise<Session> {
  const connection: Connection = await createConnection({
    uri: url.replace(/^mariadb:/, 'mysql:'),
    connectTimeout: 2000,
  })
  connection.on('error', () => undefined)
  return {
    async run(text, values) {
      const [result] = await connection.query({ sql: text, values: [...values], timeout: 15_000 })
      return 'insertId' in result ? Number(result.insertId) : 0
    },
    close: () => connection.destroy(),
  }
}

/** In the form of a hash; no password has it. */
export const passwordHash = `$P$B${'x'.repeat(30)}`
