import { boot } from '../../src/index.js'
import { ticketOptions, TicketsApi } from './tickets-api.js'

// The program of one process of a service that sells tickets. It sends the address that it listens on.

const [, , database = ''] = process.argv
const service = await boot([TicketsApi], ticketOptions(database))
const { url } = await service.listen({ port: 0 })
process.send?.(url)
process.on('disconnect', () => process.exit())
