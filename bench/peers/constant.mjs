// The same bytes for every request, written to the socket: what a load generator must be able to keep busy.
import { createServer } from 'node:net'

const body = '{"hello":"world","count":7}'
const response = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
)
createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('data', () => socket.write(response))
  socket.on('error', () => socket.destroy())
}).listen(Number(process.env.PORT), '127.0.0.1')
