import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { SmtpMailer } from './smtp-mailer.js'

/** An SMTP server that takes every message, and what it was told. */
async function smtpServer(refusal?: string) {
  const lines: string[] = []
  const server = createServer((socket) => {
    let isData = false
    let rest = ''
    socket.write('220 mail.example\r\n')
    socket.on('data', (bytes) => {
      rest += String(bytes)
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        lines.push(line)
        if (isData && line !== '.') continue
        isData = line === 'DATA'
        if (refusal !== undefined && line.startsWith('RCPT')) socket.write(`${refusal}\r\n`)
        else socket.write(isData ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n')
        if (line === 'QUIT') socket.end()
      }
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, lines, close: () => server.close() }
}

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
