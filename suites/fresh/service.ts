// One of the processes that serve the database.
import { boot, type Service } from 'as-rest-route'
import { storeAdapterOf } from '../../src/app/stores.js'
import { Sessions } from '../../src/auth/sessions.js'
import { secrets } from '../security/protocol.js'
import { answerCalls } from '../support/service-process.js'
import { FreshApi } from './fresh-api.js'
import { siteUrl, type Started } from './protocol.js'

process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))

let service: Service
let sessions: Sessions

answerCalls({
  async start(database: string): Promise<Started> {
    service = await boot([FreshApi], {
      database,
      base_url: siteUrl,
      // What is acknowledged must survive the failovers. A file of SQLite is not lost with a process.
      synchronous: database.startsWith('sqlite:') ? 'NORMAL' : 'FULL',
      environment: 'local',
      trusted_proxies: ['127.0.0.1'],
      secrets,
      log: { info() {}, warn() {}, error() {} },
    })
    sessions = new Sessions(await storeAdapterOf(database).open(database, {}), Date.now)
    return { port: (await service.listen({ port: 0 })).port }
  },
  newPassword: async (id: number) => {
    const { password, item } = await service.applicationPasswords.create(id, { name: 'fresh' })
    return { password, uuid: item.uuid }
  },
  revoke: ({ id, uuid }: { id: number; uuid: string }) => service.applicationPasswords.revoke(id, uuid),
  newSession: ({ id, expiration }: { id: number; expiration: number }) =>
    sessions.create(id, { expiration, address: '', userAgent: '' }),
  endSessions: (id: number) => sessions.endAll(id),
})
