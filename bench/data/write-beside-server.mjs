// `write-beside.mjs` on a database server: `node bench/data/write-beside-server.mjs <URL> <writes a second> <type>`. One
// record of the type after the other gets another date of change, which no response says.
import { openServerDatabase } from '../peers/server-database.mjs'

const [url, perSecond, type] = process.argv.slice(2)
const database = openServerDatabase(url)
const ids = await database.prepare('SELECT ID AS id FROM wp_posts WHERE post_type = ? ORDER BY ID')(null, type)
const change = database.prepare('UPDATE wp_posts SET post_modified = ?, post_modified_gmt = ? WHERE ID = ?')
const begun = performance.now()

/** A write that was due while the machine was busy is made as soon as possible, so that their number per second is kept. */
for (let written = 0; ; written += 1) {
  const due = begun + (written / Number(perSecond)) * 1000
  const early = due - performance.now()
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
  const now = new Date(Date.UTC(2025, 0, 1) + written * 1000).toISOString().slice(0, 19).replace('T', ' ')
  await change(null, now, now, ids[written % ids.length].id)
  if (written === 0) process.stdout.write('writing\n')
}
