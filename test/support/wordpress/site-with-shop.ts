import { after, before } from 'node:test'
import { startService, type StartedService } from '../start-service.js'
import { startWordPressSite, type WordPressSite } from './wordpress-site.js'

/** A WordPress and the example shop on its tables, for the tests of a suite. They are there when its tests run. */
export function siteWithShop(): { readonly site: WordPressSite; readonly service: StartedService } {
  const running = {} as { site: WordPressSite; service: StartedService }
  before(async () => {
    running.site = await startWordPressSite()
    running.service = await startService(new URL('../../../examples/shop/app/', import.meta.url), {
      wordpress: { config: running.site.configPath },
    })
  })
  after(async () => {
    await running.service?.close()
    await running.site?.stop()
  })
  return running
}
