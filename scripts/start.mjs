// Imported before the command line by `npm start`: the shop that is served is never older than its sources.
import { buildShop, shopIsBuilt } from './shop.mjs'

if (!shopIsBuilt()) await buildShop()
