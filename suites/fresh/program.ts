import { sqliteLibrary, type SqliteClient } from '../../src/database/sqlite/sqlite-client.js'

/** Another program on the database, which knows SQL and nothing of the services. */
export class ForeignProgram {
  readonly #client: SqliteClient

  private constructor(client: SqliteClient) {
    this.#client = client
  }

  static async open(path: string): Promise<ForeignProgram> {
    const client = (await sqliteLibrary())(path)
    for (const setting of ['busy_timeout = 10000', 'synchronous = NORMAL']) client.prepare(`PRAGMA ${setting}`).all([])
    return new ForeignProgram(client)
  }

  insertPost(title: string): number {
    return this.#run(
      `INSERT INTO wp_posts (post_title, post_name, post_type, post_date, post_date_gmt, post_content, post_excerpt, to_ping,
      pinged, post_content_filtered) VALUES (?, ?, 'post', '2026-01-01 00:00:00', '2026-01-01 00:00:00', '', '', '', '', '')`,
      title,
      `post-${title}`,
    )
  }

  retitle(id: number, title: string): void {
    this.#run('UPDATE wp_posts SET post_title = ? WHERE ID = ?', title, id)
  }

  rename(id: number, name: string): void {
    this.#run('UPDATE wp_users SET display_name = ? WHERE ID = ?', name, id)
  }

  /** A subscriber whose password nobody knows. */
  insertUser(login: string): number {
    const id = this.#run(
      `INSERT INTO wp_users (user_login, user_pass, user_nicename, user_email, display_name, user_registered)
      VALUES (?, ?, ?, ?, ?, '2026-01-01 00:00:00')`,
      login,
      passwordHash,
      login,
      `${login}@fresh.example`,
      '0',
    )
    const roles = 'a:1:{s:10:"subscriber";b:1;}'
    this.#run(`INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (?, 'wp_capabilities', ?)`, id, roles)
    return id
  }

  removeMetadata(userId: number, key: string): void {
    this.#run('DELETE FROM wp_usermeta WHERE user_id = ? AND meta_key = ?', userId, key)
  }

  removeUser(id: number): void {
    this.#run('DELETE FROM wp_usermeta WHERE user_id = ?', id)
    this.#run('DELETE FROM wp_users WHERE ID = ?', id)
  }

  close(): void {
    this.#client.close()
  }

  #run(text: string, ...values: readonly (string | number)[]): number {
    return this.#client.prepare(text).run(values).lastInsertRowid
  }
}

/** In the form of a hash; no password has it. */
export const passwordHash = `$P$B${'x'.repeat(30)}`
