// Makes the data that all servers read: `node bench/data/make.mjs <database file> <settings>`. Products and posts go in
// through the product itself, so the rows are those that it would have made.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { boot } from 'as-rest-route'
import { openDatabase } from '../peers/database.mjs'
import { cookieName, signatures, verifierOf } from '../peers/wordpress-login.mjs'

const [file, settingsText, credentialsFile] = process.argv.slice(2)
const { siteUrl, products, posts, synchronous } = JSON.parse(settingsText)
const day = 86_400_000
const firstDay = Date.UTC(2020, 0, 1)
const dateOf = (index, count) =>
  new Date(firstDay + Math.floor((index / count) * 2000 * day)).toISOString().slice(0, 19)

const service = await boot(fileURLToPath(new URL('../dist/app', import.meta.url)), {
  database: `sqlite:${file}`,
  base_url: siteUrl,
  synchronous,
  seed: async ({ records }) => {
    const sentence = 'Made by hand from oak and brass, it lasts a lifetime & is sent within two days.'
    for (let index = 1; index <= products; index += 1) {
      await records.insert({
        type: 'product',
        status: 'publish',
        title: `Product ${index} "${['oak', 'brass', 'café'][index % 3]}"`,
        content: `<p>${sentence}</p>\n<p>Number ${index}, https://shop.example/${index}</p>`,
        date: dateOf(index, products),
        meta: { price: ((index * 37) % 20_000) / 100, total_sales: (index * 7919) % 1000 },
      })
    }
    for (let index = 1; index <= posts; index += 1) {
      await records.insert({
        type: 'post',
        status: 'publish',
        title: `Story ${index} <of> the shop`,
        content: `<p>${sentence}</p>`.repeat(10),
        excerpt: `${sentence} (${index})`,
        date: dateOf(index, posts),
      })
    }
  },
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
const token = 'benchmark'.padEnd(43, 'x')
const expiration = Math.floor(Date.now() / 1000) + 14 * 86_400
const session = `a:1:{s:64:"${verifierOf(token)}";a:2:{s:10:"expiration";i:${expiration};s:5:"login";i:${expiration};}}`
database
  .prepare('INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (?, ?, ?)')
  .run(user.id, 'session_tokens', session)
const { user_pass: passwordHash } = database.prepare('SELECT user_pass FROM wp_users WHERE ID = ?').get(user.id)
const signed = signatures(process.env)
const cookie = signed.cookie({ login: 'bench', passwordHash }, expiration, token)
const ids = (type) => database.prepare(`SELECT ID FROM wp_posts WHERE post_type = ? ORDER BY ID`).all(type)
const credentials = {
  authorization: `Basic ${Buffer.from(`bench:${password}`).toString('base64')}`,
  cookie: `${cookieName(siteUrl)}=${encodeURIComponent(cookie)}`,
  nonce: signed.nonce(user.id, token),
  productIds: ids('product').map(({ ID }) => ID),
}
database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
database.close()
writeFileSync(credentialsFile, JSON.stringify(credentials))
