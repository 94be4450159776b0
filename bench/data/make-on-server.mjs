// Makes the data of `make.mjs` on a database server, and a copy of the tables for the peer, without what the product has put
// beside the data: `node bench/data/make-on-server.mjs <URL> <URL of the peer> <settings> <credentials file>`.
import { writeFileSync } from 'node:fs'
import { openServerDatabase } from '../peers/server-database.mjs'
import { sessionOf } from './session.mjs'
import { makeShop } from './make-shop.mjs'

const [url, peerUrl, settingsText, credentialsFile] = process.argv.slice(2)
const settings = JSON.parse(settingsText)
const tables = 'posts postmeta users usermeta terms termmeta term_taxonomy term_relationships options'
  .split(' ')
  .map((name) => `wp_${name}`)

const { userId, authorization } = await makeShop(url, { ...settings, synchronous: 'NORMAL' })
const database = openServerDatabase(url)
const run = (text, ...values) => database.prepare(text)(null, ...values)
const [{ user_pass: passwordHash }] = await run('SELECT user_pass FROM wp_users WHERE ID = ?', userId)
const { session, credentials } = sessionOf(userId, passwordHash, settings.siteUrl)
await run('INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (?, ?, ?)', userId, 'session_tokens', session)
const ids = await run(`SELECT ID AS id FROM wp_posts WHERE post_type = 'product' ORDER BY ID`)
await copyTables()
await database.close()
writeFileSync(
  credentialsFile,
  JSON.stringify({
    ...credentials,
    authorization,
    productIds: ids.map(({ id }) => id),
  }),
)

async function copyTables() {
  const isPostgres = database.kind === 'postgres'
  const placeOf = (text) => {
    const { searchParams, pathname } = new URL(text)
    return isPostgres ? searchParams.get('schema') : pathname.slice(1)
  }
  for (const table of tables) {
    const [from, to] = [`${placeOf(url)}.${table}`, `${placeOf(peerUrl)}.${table}`]
    await run(isPostgres ? `CREATE TABLE ${to} (LIKE ${from} INCLUDING ALL)` : `CREATE TABLE ${to} LIKE ${from}`)
    await run(`INSERT INTO ${to} SELECT * FROM ${from}`)
    for (const each of [from, to]) await run(isPostgres ? `ANALYZE ${each}` : `ANALYZE TABLE ${each}`)
    if (isPostgres && /(posts|meta)$/.test(table)) await goOnCounting(to)
  }
}

/** The next key follows the last one that was copied. */
async function goOnCounting(table) {
  const [{ name }] = await run(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = ?::regclass AND attidentity <> ''`,
    table,
  )
  await run(
    `SELECT setval(pg_get_serial_sequence(?, ?), (SELECT coalesce(max(${name}), 0) + 1 FROM ${table}), false)`,
    table,
    name,
  )
}
