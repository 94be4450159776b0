import { boot } from '../../src/index.js'
import { printShopOptions, PrintShop } from './print-shop-api.js'

// The program of one process that does jobs. It says when it is ready.

const [, , database = ''] = process.argv
await boot([PrintShop], printShopOptions(database))
process.send?.('ready')
process.on('disconnect', () => process.exit())
