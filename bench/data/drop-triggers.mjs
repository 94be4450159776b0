// Leaves the tables as anybody would have them: `node bench/data/drop-triggers.mjs <database file>`. The triggers count
// writes for the product's response cache; a server that has no cache would not pay for them.
import { openDatabase } from '../peers/database.mjs'

const database = await openDatabase(process.argv[2], 'OFF')
const triggers = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).all()
for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`)
database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
database.close()
