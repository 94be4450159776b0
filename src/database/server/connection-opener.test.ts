import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionOpener } from './connection-opener.js'

/** A server that ends each handshake when it is told to. */
function aServer() {
  const handshakes: (() => void)[] = []
  const connect = (): Promise<void> => new Promise((resolve) => handshakes.push(resolve))
  return { handshakes, connect }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('two connections are opened at the same time, and the others one after the other', async () => {
  const opener = new ConnectionOpener()
  const { handshakes, connect } = aServer()
  const opened = Array.from({ length: 10 }, () => opener.open(connect))
  for (let done = 0; done < 10; done += 1) {
    await turn()
    assert.equal(handshakes.length, Math.min(10, done + 2))
    handshakes[done]?.()
  }
  await Promise.all(opened)
})

test('after a loss, connections are opened at different times', async (context) => {
  context.mock.method(Math, 'random', () => 0.5)
  const opener = new ConnectionOpener()
  opener.connectionLost()
  const { handshakes, connect } = aServer()
  const opened = opener.open(connect)
  await turn()
  assert.equal(handshakes.length, 0)
  while (handshakes.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  handshakes[0]?.()
  await opened
})

test('while the server cannot be reached, waiting calls fail with the error of the last attempt', async () => {
  const opener = new ConnectionOpener()
  const failure = new Error('refused')
  let attempts = 0
  const refuse = async (): Promise<void> => {
    attempts += 1
    await turn()
    throw failure
  }
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => opener.open(refuse)))
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason === failure))
  assert.equal(attempts, 2)
  assert.equal(opener.isFailing, true)
})
