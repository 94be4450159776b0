import { openConnections } from './connections.js'

/**
 * Beyond this many connections nothing is said: libuv asks the system for 1,024 sockets at a time, and asks again in the
 * same turn when it is given as many. The others are left to what else the process may have open.
 */
const maxConnections = 800

/** As it was when this was loaded: tests put clocks of their own in its place, which may never strike. */
const afterThisTurn = setImmediate

/** Windows reads ahead of its callbacks, other runtimes have loops of their own. */
const isKnownLoop = process.platform !== 'win32' && !('bun' in process.versions) && !('deno' in process.versions)

let turn: symbol | undefined

/**
 * Says which requests arrived together, whichever server they came to. The event loop first asks which sockets have
 * something to read, and only then reads one after the other: all that it reads in one turn had begun to be sent before the
 * first of them was looked at. To be called while a socket is being read, for a request that is all its client has sent.
 * @returns the same for requests that arrived together; undefined when nothing is known.
 */
export function arrivalNow(): symbol | undefined {
  if (!isKnownLoop || openConnections() > maxConnections) return undefined
  if (turn === undefined) {
    turn = Symbol('arrived together')
    // Called as soon as the sockets of this turn have been read.
    afterThisTurn(endTurn)
  }
  return turn
}

function endTurn(): void {
  turn = undefined
}
