import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute, boot, inject, Mailer, type BootOptions, type MailMessage } from '../../src/index.js'
import { silent } from '../../src/log/log.js'
import { smtpServer } from '../support/smtp-server.js'
import { temporaryDatabase } from '../support/test-database.js'

class LettersApi {
  constructor(private readonly mailer = inject(Mailer)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/letters', method: 'POST', permission: 'public' })
  async send() {
    await this.mailer.send({ to: 'mia@shop.example', subject: 'A letter', text: 'Dear Mia' })
    return null
  }
}

async function sendLetter(options: BootOptions): Promise<number> {
  const service = await boot([LettersApi], { database: await temporaryDatabase(), log: silent, ...options })
  try {
    const response = await service.fetch(new Request('http://localhost/wp-json/shop/v1/letters', { method: 'POST' }))
    return response.status
  } finally {
    await service.close()
  }
}

test('a handler sends by the server of smtp_url, with the sender of mail_from', async () => {
  const { url, lines, close } = await smtpServer()
  const status = await sendLetter({ smtp_url: url, mail_from: 'The Shop <shop@shop.example>' })
  close()
  assert.equal(status, 200)
  assert.ok(lines.includes('MAIL FROM:<shop@shop.example>'))
  assert.ok(lines.includes('RCPT TO:<mia@shop.example>'))
})

test('SMTP_URL and MAIL_FROM name the server and the sender; the default sender is at the host of the site', async () => {
  const { url, lines, close } = await smtpServer()
  process.env['SMTP_URL'] = url
  try {
    await sendLetter({ base_url: 'https://www.shop.example/blog' })
    process.env['MAIL_FROM'] = 'own@shop.example'
    await sendLetter({})
  } finally {
    delete process.env['SMTP_URL']
    delete process.env['MAIL_FROM']
    close()
  }
  const senders = lines.filter((line) => line.startsWith('MAIL'))
  assert.deepEqual(senders, ['MAIL FROM:<no-reply@shop.example>', 'MAIL FROM:<own@shop.example>'])
})

test('a mailer of the application takes the place of the others', async () => {
  const messages: MailMessage[] = []
  class OwnMailer extends Mailer {
    async send(message: MailMessage): Promise<void> {
      messages.push(message)
    }
  }
  await sendLetter({ provide: [[Mailer, OwnMailer]], smtp_url: 'smtp://127.0.0.1:1' })
  assert.deepEqual(messages, [{ to: 'mia@shop.example', subject: 'A letter', text: 'Dear Mia' }])
})

for (const environment of ['development', 'local'] as const)
  test(`in the environment ${environment} a message goes to the log`, async () => {
    const lines: object[] = []
    await sendLetter({ environment, log: { ...silent, info: (fields) => lines.push(fields) } })
    assert.deepEqual(lines, [{ to: 'mia@shop.example', subject: 'A letter', text: 'Dear Mia' }])
  })

const faulty: [options: BootOptions, message: RegExp][] = [
  [{}, /no email can be sent/],
  [{ environment: 'staging' }, /no email can be sent/],
  [{ smtp_url: 'https://user:secret@mail.example' }, /smtp_url: it must be the URL of a server/],
  [{ smtp_url: 'mail.example' }, /smtp_url/],
  [{ environment: 'local', mail_from: 'shop@shop.example\r\nBcc: eve@evil.example' }, /mail_from/],
  [{ provide: [[Mailer, {} as Mailer]] }, /lacks the method send/],
]
for (const [options, message] of faulty)
  test(`the start is refused with ${JSON.stringify(options)}`, async () => {
    await assert.rejects(sendLetter(options), (error: Error) => {
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  })
