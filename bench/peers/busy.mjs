// Keeps its core busy for as many microseconds as the path says, `GET /15`, and then writes the same bytes for every
// request: a server without any software, to show what the machine itself does to responses that take so long.
import { createServer } from 'node:net'

const body = '{"hello":"world","count":7}'
const response = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
)
createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('data', (request) => {
    const until = performance.now() + (Number.parseInt(request.toString('latin1', 5, 12), 10) || 0) / 1000
    while (performance.now() < until);
    socket.write(response)
  })
  socket.on('error', () => socket.destroy())
}).listen(Number(process.env.PORT), '127.0.0.1')
