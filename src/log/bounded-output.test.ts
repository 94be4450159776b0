import assert from 'node:assert/strict'
import { openSync } from 'node:fs'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { BoundedOutput } from './bounded-output.js'
import { FileSink, StreamSink } from './sink.js'

/** A reader that takes nothing until it is told to. */
class SlowReader extends Writable {
  text = ''
  #resume: (() => void) | null = null
  isReading = false

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    if (this.isReading) done()
    else this.#resume = done
  }

  read(): void {
    this.isReading = true
    this.#resume?.()
  }
}

const droppedIn = (text: string): number[] =>
  text
    .split('\n')
    .filter((line) => line.includes('log-lines-dropped'))
    .map((line) => (JSON.parse(line) as { lines: number }).lines)

test('lines that a slow reader does not take are dropped, and their number is written later', async () => {
  const reader = new SlowReader()
  const output = new BoundedOutput(new StreamSink(reader), (line) => line)
  const count = 5_000
  for (let index = 0; index < count; index += 1) output.write(`${'x'.repeat(999)}\n`)
  assert.ok(reader.writableLength < 1_100_000, 'the memory is bounded')
  reader.read()
  await new Promise((resolve) => setImmediate(resolve))
  output.write('last\n')
  const [dropped = 0, ...others] = droppedIn(reader.text)
  assert.deepEqual(others, [])
  assert.equal(dropped + reader.text.split('\n').filter((line) => line.startsWith('xx')).length, count)
  assert.ok(reader.text.endsWith('\nlast\n'))
})

test('a reader that has gone is not an error, and is reported once', () => {
  const failures: unknown[] = []
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')), autoDestroy: false })
  const output = new BoundedOutput(
    new StreamSink(stream),
    (line) => line,
    (error) => failures.push(error),
  )
  for (let index = 0; index < 100; index += 1) output.write('x\n')
  return new Promise<void>((resolve) =>
    setImmediate(() => {
      assert.equal(failures.length, 1)
      resolve()
    }),
  )
})

test('lines of a full disk are dropped and counted; a line of which a part was written is ended', () => {
  let text = ''
  let room = 7
  const write = (_: number, bytes: Uint8Array, offset: number): number => {
    if (room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const part = bytes.subarray(offset, offset + room)
    room -= part.length
    text += Buffer.from(part).toString()
    return part.length
  }
  const failures: unknown[] = []
  const sink = new FileSink(1, write as never)
  const output = new BoundedOutput(
    sink,
    (line) => line,
    (error) => failures.push(error),
  )
  for (const line of ['one\n', 'two two\n', 'three\n']) output.write(line)
  assert.equal(text, 'one\ntwo')
  room = 10_000
  output.write('four\n')
  const lines = text.split('\n')
  assert.deepEqual([lines[0], lines[1], lines[3]], ['one', 'two', 'four'])
  assert.deepEqual(droppedIn(text), [2])
  assert.equal(failures.length, 1)
})

test(
  'a device that is always full takes no memory and no time',
  { skip: process.platform !== 'linux' && 'no /dev/full' },
  () => {
    const failures: unknown[] = []
    const output = new BoundedOutput(
      new FileSink(openSync('/dev/full', 'w')),
      (line) => line,
      (error) => failures.push((error as NodeJS.ErrnoException).code),
    )
    for (let index = 0; index < 1_000; index += 1) output.write('x\n')
    assert.deepEqual(failures, ['ENOSPC'])
  },
)
