// Writes to a database while it is read: `node bench/data/write-beside.mjs <database file> <writes a second>`. One product
// after the other gets another date of change, which no response says.
import { openDatabase } from '../peers/database.mjs'

const [file, perSecond] = process.argv.slice(2)
const database = await openDatabase(file, 'NORMAL')
const ids = database.prepare(`SELECT ID FROM wp_posts WHERE post_type = 'product' ORDER BY ID`).all()
const change = database.prepare('UPDATE wp_posts SET post_modified = ?, post_modified_gmt = ? WHERE ID = ?')
const begun = performance.now()
let written = 0

/** A write that was due while the machine was busy is made as soon as possible, so that their number per second is kept. */
function write() {
  const due = Math.floor(((performance.now() - begun) / 1000) * Number(perSecond))
  for (; written < due; written += 1) {
    const now = new Date(Date.UTC(2025, 0, 1) + written * 1000).toISOString().slice(0, 19).replace('T', ' ')
    change.run(now, now, ids[written % ids.length].ID)
  }
}
setInterval(write, 1000 / Number(perSecond))
