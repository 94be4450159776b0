import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Mailer, type MailMessage } from '../../src/index.js'
import { EmptyApi } from './empty-api.js'
import { openService } from './open-service.js'

/** Keeps messages. */
class Mailbox extends Mailer {
  readonly messages: MailMessage[] = []

  async send(message: MailMessage): Promise<void> {
    this.messages.push(message)
  }
}

class BrokenMailer extends Mailer {
  attempts = 0

  async send(): Promise<void> {
    this.attempts += 1
    throw new Error('out of order')
  }
}

async function siteWith(context: TestContext, mailer: Mailer) {
  const site = await openService([EmptyApi], { provide: [[Mailer, mailer]], site: { name: 'Tom &amp; Jerry' } })
  context.after(() => site.close())
  const { headers } = await site.join('mia', 'editor')
  const change = async (json: object) => (await site.call('POST', '/wp/v2/users/me', { as: headers, json })).status
  return { site, change }
}

test('a change of the own password or address is mailed to the old address', async (context) => {
  const mailbox = new Mailbox()
  const { site, change } = await siteWith(context, mailbox)
  assert.equal(await change({ name: 'Mia', email: 'mia@shop.example' }), 200)
  assert.equal(await change({ email: 'taken' }), 400)
  assert.equal(await change({ email: 'new@shop.example', password: 'another secret' }), 200)
  assert.equal(await change({ password: 'a third secret' }), 200)
  // A stop waits for the messages.
  await site.close()
  const told = mailbox.messages.map(({ to, subject }) => [to, subject])
  assert.deepEqual(told, [
    ['mia@shop.example', '[Tom & Jerry] Password Changed'],
    ['mia@shop.example', '[Tom & Jerry] Email Changed'],
    ['new@shop.example', '[Tom & Jerry] Password Changed'],
  ])
  assert.match(mailbox.messages[1]?.text ?? '', /is now new@shop\.example\./)
  for (const { text } of mailbox.messages) assert.doesNotMatch(text, /secret/)
})

test('a mailer that fails changes no response', async (context) => {
  const mailer = new BrokenMailer()
  const { site, change } = await siteWith(context, mailer)
  assert.equal(await change({ email: 'new@shop.example', password: 'another secret' }), 200)
  await site.close()
  assert.equal(mailer.attempts, 2)
})
