import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smtpServer } from '../../test/support/smtp-server.js'
import { SmtpMailer } from './smtp-mailer.js'

const message = { to: 'mia@shop.example', subject: 'Hello\r\nBcc: eve@evil.example', text: 'Grüße\n.\nend' }

test('a message is sent by SMTP with the sender, and a line break in its subject begins no header', async () => {
  const { url, lines, close } = await smtpServer()
  await new SmtpMailer(url, () => 'Shop <shop@shop.example>').send(message)
  close()
  assert.ok(lines.includes('MAIL FROM:<shop@shop.example>'))
  assert.deepEqual(
    lines.filter((line) => line.startsWith('RCPT')),
    ['RCPT TO:<mia@shop.example>'],
  )
  assert.ok(lines.includes('Subject: Hello Bcc: eve@evil.example'))
  assert.ok(!lines.some((line) => /^Bcc:/i.test(line)))
})

test('a message that the server refuses is rejected', async () => {
  const { url, close } = await smtpServer('550 no such user')
  await assert.rejects(new SmtpMailer(url, () => 'shop@shop.example').send(message), /550 no such user/)
  close()
})

test('a recipient is one address', async () => {
  const { url, lines, close } = await smtpServer()
  const to = 'mia@shop.example, eve@evil.example'
  await new SmtpMailer(url, () => 'shop@shop.example').send({ ...message, to }).catch(() => {})
  close()
  assert.ok(!lines.some((line) => line.includes('RCPT TO:<eve@evil.example>')))
})
