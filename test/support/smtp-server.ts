import { createServer, type AddressInfo } from 'node:net'

/** An SMTP server that takes every message, and what it was told. */
export async function smtpServer(refusal?: string) {
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
