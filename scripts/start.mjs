// Imported before the command line by `npm start`: the shop that is served is never older than its sources.
import { buildShop, shopIsBuilt } from './shop.mjs'

// The process that serves inherits this import from the command, which has built the shop.
if (process.env.AS_REST_ROUTE_SUPERVISED === undefined && !shopIsBuilt()) await buildShop()
