// Writes products, posts and their metadata as JSON: `node bench/data/export.mjs <database file> <JSON file>`.
import { writeFileSync } from 'node:fs'
import { openDatabase } from '../peers/database.mjs'

const [file, target] = process.argv.slice(2)
const database = await openDatabase(file, 'NORMAL')
const all = (table) => database.prepare(`SELECT * FROM wp_${table}`).all()
writeFileSync(target, JSON.stringify({ posts: all('posts'), postmeta: all('postmeta') }))
database.close()
