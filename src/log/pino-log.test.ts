import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { afterEach, describe, it } from 'node:test'
import { pinoLog, type LogTarget } from './pino-log.js'

class TextTarget implements LogTarget {
  text = ''
  constructor(readonly isTTY: boolean) {}
  write(text: string): void {
    this.text += text
  }
}

const environment = { NO_COLOR: process.env['NO_COLOR'], NODE_ENV: process.env['NODE_ENV'], TERM: process.env['TERM'] }

afterEach(() => {
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

function written(isTTY: boolean, write: (log: ReturnType<typeof pinoLog>) => void): string {
  const target = new TextTarget(isTTY)
  write(pinoLog(target))
  return target.text
}

describe('the log', () => {
  it('writes JSON when the target is no terminal', () => {
    const line = written(false, (log) => log.info({ path: '/x' }, 'hello'))
    const { time, ...rest } = JSON.parse(line) as { time: string }
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(rest, { level: 'info', path: '/x', msg: 'hello' })
  })

  it('writes JSON in production, even to a terminal', () => {
    process.env['NODE_ENV'] = 'production'
    assert.match(
      written(true, (log) => log.info({}, 'hello')),
      /^\{"level":"info"/,
    )
  })

  it('writes a short readable line to a terminal', () => {
    process.env['NO_COLOR'] = '1'
    const line = written(true, (log) => log.warn({ method: 'GET', path: '/a b', count: 3 }, 'a request failed'))
    assert.match(line, /^\d\d:\d\d:\d\d warn a request failed method=GET path="\/a b" count=3\n$/)
  })

  it('writes colours to a terminal unless NO_COLOR is set', () => {
    delete process.env['NO_COLOR']
    process.env['TERM'] = 'xterm'
    assert.match(
      written(true, (log) => log.error({}, 'x')),
      /\x1b\[31merror\x1b\[39m/,
    )
  })

  it('writes the stack trace below the line', () => {
    process.env['NO_COLOR'] = '1'
    const line = written(true, (log) => log.error({ err: new Error('broken'), requestId: 'a-1' }, 'a request failed'))
    assert.match(line, / error a request failed requestId=a-1\n {2}Error: broken\n {6}at /)
  })

  it('writes no escape sequences of a request to a terminal', () => {
    process.env['NO_COLOR'] = '1'
    const line = written(true, (log) =>
      log.error({ path: '/\x1b[2J', err: new Error('\x1b]0;x\x07') }, 'a request \x1b[31mfailed'),
    )
    assert.doesNotMatch(line, /[\x1b\x07]/)
  })

  it('writes one line for every program that reads lines', () => {
    process.env['NO_COLOR'] = '1'
    const text = 'a\u0085b\u2028c\u2029d\u009b31m\x7f\u202e'
    const json = written(false, (log) => log.info({ path: text, [text]: 1 }, text))
    assert.match(json, /^[\x20-\x7e]+\n$/)
    const { msg, path } = JSON.parse(json) as { msg: string; path: string }
    assert.deepEqual([msg, path], [text, text])
    const long = written(false, (log) => log.info({ path: text.repeat(6_000) }, text))
    assert.match(long, /^[\x20-\x7e…]+\n$/)
    assert.ok(long.length <= 32_768)
    const forged = `${text}\n12:00:00 info forged\r\x1b[2J`
    const readable = written(true, (log) => log.info({ path: forged, [forged]: 1 }, forged))
    assert.match(readable, /^[\x20-\x7e\ufffd]+\n$/)
  })

  it('hides secret fields at every depth and in every case', () => {
    const headers = { Authorization: 'hush', 'SET-COOKIE': ['hush'], 'x-wp-nonce': 'hush', 'X-Api-Key': 'hush' }
    const lists = { rawHeaders: ['Host', 'site', 'Cookie', 'hush'], entries: [['authorization', 'hush']] }
    const names = {
      access_token: 'hush',
      clientSecret: 'hush',
      newPassword: 'hush',
      user_pass: 'hush',
      _wpnonce: 'hush',
    }
    for (const isTTY of [true, false]) {
      const err = Object.assign(new Error('refused'), { config: { all: { headers: [headers, lists] } }, ...names })
      const text = written(isTTY, (log) => {
        log.error({ err, note: 'says "cookie": hu-sh', key: 'price', tokens: 3 }, 'failed')
        log.info({ password: 'hush', request: { headers, form: names } }, 'another')
      })
      assert.ok(!text.includes('hush') && text.includes('hu-sh') && text.includes('(secret)'), text)
      assert.match(text, isTTY ? /key=price tokens=3/ : /"key":"price","tokens":3/)
    }
  })

  it('writes of an error of an HTTP client neither the request nor the socket', async () => {
    const options = { port: 1, path: '/?code=hush', headers: { Authorization: 'Basic hush' } }
    const request = http.get({ host: '127.0.0.1', ...options })
    const [error] = (await once(request, 'error')) as [Error]
    const text = written(false, (log) =>
      log.error({ err: Object.assign(error, { request, socket: request.socket }) }, 'failed'),
    )
    assert.ok(!text.includes('hush'), text)
    const { err } = JSON.parse(text) as { err: Record<string, unknown> }
    assert.deepEqual([err['type'], err['code'], err['request']], ['Error', 'ECONNREFUSED', '[ClientRequest]'])
  })

  it('writes the causes of an error, and what refers to itself once', () => {
    const err: Error & { self?: unknown } = new Error('outer', { cause: new Error('inner') })
    err.self = { err }
    const { err: fields } = JSON.parse(written(false, (log) => log.error({ err }, 'failed'))) as {
      err: Record<string, string>
    }
    assert.equal(fields['message'], 'outer: inner')
    assert.match(fields['stack'] ?? '', /^Error: outer\n[^]*caused by: Error: inner\n/)
    assert.deepEqual(fields['self'], { err: '[Circular]' })
  })

  it('writes fields of any size and depth in bounded time', () => {
    let deep: object = { password: 'hush' }
    for (let depth = 0; depth < 100_000; depth += 1) deep = { deep }
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`n${index}`, { password: 'hush' }]))
    const text = written(false, (log) =>
      log.info({ deep, wide, big: 12345678901234567890n, bytes: Buffer.alloc(1e6) }, 'large'),
    )
    assert.ok(text.length <= 32_768 && !text.includes('hush'))
    assert.equal((JSON.parse(text) as { msg: string }).msg, 'large')
  })
})
