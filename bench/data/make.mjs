// Makes the data that all servers read: `node bench/data/make.mjs <database file> <settings> <credentials file>`.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { boot } from 'as-rest-route'
import { openDatabase } from '../peers/database.mjs'
import { seedOf } from './seed.mjs'
import { sessionOf } from './session.mjs'

const [file, settingsText, credentialsFile] = process.argv.slice(2)
const { siteUrl, products, posts, synchronous } = JSON.parse(settingsText)

const service = await boot(fileURLToPath(new URL('../dist/app', import.meta.url)), {
  database: `sqlite:${file}`,
  base_url: siteUrl,
  synchronous,
  seed: seedOf(products, posts),
})
const user = await service.users.create({
  login: 'bench',
  email: 'bench@shop.example',
  password: 'a password that nobody uses here',
  role: 'administrator',
})
const { password } = await service.applicationPasswords.create(user.id, { name: 'Benchmark' })
await service.close()

const database = await openDatabase(file, 'NORMAL')
const { user_pass: passwordHash } = database.prepare('SELECT user_pass FROM wp_users WHERE ID = ?').get(user.id)
const { session, credentials } = sessionOf(user.id, passwordHash, siteUrl)
database
  .prepare('INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (?, ?, ?)')
  .run(user.id, 'session_tokens', session)
const ids = (type) => database.prepare(`SELECT ID FROM wp_posts WHERE post_type = ? ORDER BY ID`).all(type)
const allCredentials = {
  ...credentials,
  authorization: `Basic ${Buffer.from(`bench:${password}`).toString('base64')}`,
  productIds: ids('product').map(({ ID }) => ID),
}
database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
database.close()
writeFileSync(credentialsFile, JSON.stringify(allCredentials))
