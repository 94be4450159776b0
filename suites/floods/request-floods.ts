import type { Socket } from 'node:net'
import { clients, socketTo, type Flood, type FloodKind, type Target } from './flood.js'
import { member } from './protocol.js'

const pipelineClients = 4
const pipelineLength = 10_000
/** The number of requests that the service answers to a client that does not wait for responses. */
const answeredInTurn = 100
const loginClients = 200
/** Fewer wrong passwords that are answered are no flood. */
const minGuesses = 50
/** What a wrong password may be answered: the login page, a limit of failures, or a full queue. */
const refusals = new Set([200, 401, 403, 429, 503])

/** Floods of complete requests. */
export const requestFloods: readonly FloodKind[] = [
  { name: 'pipelines of 10,000', connections: () => pipelineClients, maxGrowth: 150, begin: pipelining },
  // A fast service ends the connection of each login before all clients have one.
  { name: 'login flood', connections: () => 1, maxGrowth: 200, begin: guessing },
]

/** All that arrives until the connection ends. @param open has the connection as long as it is open. */
function responsesTo(port: number, request: string, address?: string, open?: Set<Socket>): Promise<string> {
  return new Promise((resolve) => {
    const socket = socketTo(port, address)
    open?.add(socket)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.once('close', () => {
      open?.delete(socket)
      resolve(text)
    })
    socket.write(request)
  })
}

async function pipelining({ port }: Target): Promise<Flood> {
  const requests = 'GET /wp-json/floods/v1/list HTTP/1.1\r\nHost: floods.example\r\n\r\n'.repeat(pipelineLength)
  let pipelines = 0
  const faults: string[] = []
  const stop = clients(
    pipelineClients,
    async () => {
      const text = await responsesTo(port, requests)
      pipelines += 1
      const answered = text.split('HTTP/1.1 200 ').length - 1
      if (answered !== answeredInTurn) faults.push(`${answered} of the first ${answeredInTurn} requests were answered`)
    },
    50,
  )
  return {
    async end() {
      await stop()
      return { figures: `${pipelines} pipelines, the first ${answeredInTurn} requests of each answered`, faults }
    },
  }
}

/** Wrong passwords of accounts that exist or not, each from an address of its own. */
async function guessing({ port, random }: Target): Promise<Flood> {
  const statuses = new Map<string, number>()
  const open = new Set<Socket>()
  const run = { isOver: false }
  const faults: string[] = []
  const stop = clients(
    loginClients,
    async () => {
      const login = random.chance(0.3) ? member.login : `nobody-${random.integer(1, 1000)}`
      const address = `127.0.${random.integer(1, 255)}.${random.integer(1, 254)}`
      const status = statusOf(await responsesTo(port, loginRequest(login, random.text(12)), address, open))
      if (run.isOver) return
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (!refusals.has(Number(status))) faults.push(`a wrong password was answered ${status}`)
    },
    100,
  )
  // From the address of the first login of the suite, which is trusted since then.
  const right = await rightLogin(port)
  if (right !== '302') faults.push(`a right login from a trusted network was answered ${right}`)
  return {
    async end() {
      run.isOver = true
      // Passwords in the queue are waited for by nobody any more.
      for (const socket of open) socket.destroy()
      await stop()
      const guesses = [...statuses.values()].reduce((sum, count) => sum + count, 0)
      if (guesses < minGuesses) faults.push(`only ${guesses} wrong passwords were answered: this was no flood`)
      const counts = [...statuses].sort().map(([status, count]) => `${count} × ${status}`)
      return { figures: `wrong passwords answered ${counts.join(', ')}`, faults }
    },
  }
}

/** Logs in with the right password. @returns the status. */
export async function rightLogin(port: number): Promise<string> {
  return statusOf(await responsesTo(port, loginRequest(member.login, member.password)))
}

function statusOf(response: string): string {
  return /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1] ?? 'with nothing'
}

function loginRequest(login: string, password: string): string {
  const body = new URLSearchParams({ log: login, pwd: password }).toString()
  return (
    'POST /wp-login.php HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n' +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}
