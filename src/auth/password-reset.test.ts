import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSite, recordedSite } from '../../test/authentication-site.js'
import type { Storage, UserRow } from '../database/storage.js'
import { Mailer, type MailMessage } from '../mail/mailer.js'
import { BackgroundWork } from './background-work.js'
import { PasswordReset } from './password-reset.js'
import { RateLimiter } from './rate-limiter.js'
import { resetLimits } from './rate-limits.js'

const site = await openSite()
after(() => site.close())
const id = recordedSite.users['user_wp']?.id ?? 0

class Mailbox extends Mailer {
  readonly messages: MailMessage[] = []

  send(message: MailMessage): Promise<void> {
    this.messages.push(message)
    return Promise.resolve()
  }
}

const changes: [change: Partial<UserRow>, recipients: readonly string[]][] = [
  [{ user_email: 'new@example.test' }, []],
  [{ user_email: '' }, []],
  [{ display_name: 'Another Name' }, ['wp@example.test']],
]
for (const [change, recipients] of changes)
  for (const name of ['user_wp', 'wp@example.test'])
    test(`${JSON.stringify(change)} between the read of ${name} and the write of the key: ${recipients.length} links`, async (t) => {
      const { storage } = site
      await storage.users.update(id, { user_email: 'wp@example.test', user_activation_key: '' })
      const mailer = new Mailbox()
      const reset = new PasswordReset({
        ...site,
        mailer,
        site: { name: 'Shop', home: recordedSite.siteurl, siteurl: recordedSite.siteurl, forcesTls: false },
        rateLimiter: new RateLimiter(resetLimits, site.clock),
        background: new BackgroundWork(1, (error) => assert.fail(error as Error)),
      })
      const write = storage.write.bind(storage)
      const writeAfterChange: Storage['write'] = async (work) => {
        await storage.users.update(id, change)
        return write(work)
      }
      const writes = t.mock.method(storage, 'write', writeAfterChange)
      assert.equal(await reset.request(name, { address: '192.0.2.1', secure: false }), 0)
      await reset.idle()
      assert.equal(writes.mock.callCount(), 1)
      assert.deepEqual(
        mailer.messages.map(({ to }) => to),
        recipients,
      )
      const user = await storage.users.find({ id })
      assert.equal(user?.user_activation_key !== '', recipients.length > 0, 'the key is stored only for its recipient')
    })
