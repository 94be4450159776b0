// Makes the data that all servers read: `node bench/data/make.mjs <database file> <settings> <credentials file>`.
import { writeFileSync } from 'node:fs'
import { openDatabase } from '../peers/database.mjs'
import { makeShop } from './make-shop.mjs'
import { sessionOf } from './session.mjs'

const [file, settingsText, credentialsFile] = process.argv.slice(2)
const settings = JSON.parse(settingsText)
const { userId, authorization } = await makeShop(`sqlite:${file}`, settings)

const database = await openDatabase(file, 'NORMAL')
const { user_pass: passwordHash } = database.prepare('SELECT user_pass FROM wp_users WHERE ID = ?').get(userId)
const { session, credentials } = sessionOf(userId, passwordHash, settings.siteUrl)
database
  .prepare('INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (?, ?, ?)')
  .run(userId, 'session_tokens', session)
const ids = (type) => database.prepare(`SELECT ID FROM wp_posts WHERE post_type = ? ORDER BY ID`).all(type)
const allCredentials = {
  ...credentials,
  authorization,
  productIds: ids('product').map(({ ID }) => ID),
}
database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
database.close()
writeFileSync(credentialsFile, JSON.stringify(allCredentials))
