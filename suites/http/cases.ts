import type { Random } from '../support/random.js'
import type { Ending } from './exchange.js'
import { paths } from './respond.js'

/** Bytes, one character each, and what the client does after them. */
export interface Case {
  readonly bytes: string
  readonly ending: Ending
  /** Where the bytes are divided into segments, ascending. */
  readonly cuts: readonly number[]
}

/** Requests whose parts are valid, nearly valid or hostile, alone or one behind the other. */
export function growCase(random: Random): Case {
  let bytes = ''
  const count = random.choose<number>([
    [6, () => 1],
    [3, () => random.integer(2, 4)],
    [1, () => random.integer(5, 20)],
  ])
  // In a long sequence most requests are valid, so that its end is reached.
  const oddity = random.pick([0, 0.02, 0.1, 0.3]) / (count > 4 ? 4 : 1)
  for (let index = 0; index < count; index += 1) {
    if (random.chance(0.05)) bytes += random.pick(['\r\n', '\n', '\r', '\r\n\r\n'])
    bytes += request(random, oddity)
  }
  while (random.chance(oddity / 2)) bytes = mutated(random, bytes)
  const cuts = new Set<number>()
  for (let cut = random.integer(0, 5); cut > 0; cut -= 1) cuts.add(random.integer(1, Math.max(1, bytes.length - 1)))
  return { bytes, ending: random.pick(['request', 'request', 'close']), cuts: [...cuts].sort((a, b) => a - b) }
}

/** @returns a value of the first list, or with this probability one of the second. */
function usually<T>(random: Random, oddity: number, usual: readonly T[], odd: readonly T[]): T {
  return random.pick(random.chance(oddity) ? odd : usual)
}

const long = (length: number) => 'l'.repeat(length)
const methods = ['GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const oddMethods = 'get TRACE CONNECT PURGE FETCH QUERY M-SEARCH PRI SOURCE DESCRIBE G\0T GE(T é'
  .split(' ')
  .concat('', 'GE\tT')
const targets = ['/', '/a?b=c', '/a[]?b[]=1&c', '/%41%zz', '/later', '/later', ...paths]
const oddTargets =
  '* http://x/a http://x HTTPS://x:1/a?b http://u@x/ http:///a http: ftp://x/ x x:443 //x/a /a#f /é /\0 /\x7f /\x80 ?a /..//a /"<>\\^`{|}'
    .split(' ')
    .concat('', '/a b', '/a\tb', `/${long(8_100)}`, `/${long(9_000)}`, `/${long(17_000)}`)
const versions = ['HTTP/1.1']
const oddVersions =
  'HTTP/1.0 HTTP/1.0 HTTP/0.9 HTTP/2.0 HTTP/1.2 HTTP/3.0 HTTP/1 HTTP/1. HTTP/11 HTTP/1.10 http/1.1 RTSP/1.0 ICE/1.0 FTP/1.1 HTTP/x.y HTTP/-1.1'
    .split(' ')
    .concat('', 'HTTP/1.1 ', 'HTTP/1.1\t', ' HTTP/1.1', 'HTTP/1.1\0')
const lineEnds = ['\r\n']
const oddLineEnds = ['\n', '\r', '\n\r', '\r\r\n', '\r\n ', ' \r\n', '\0\r\n', '']
const hosts = ['Host: x', 'host:x.example:80', 'HOST: [::1]:8']
const oddHosts = [
  '',
  'Host:',
  'Host: a, b',
  'Host: a,b',
  'Host: a b',
  'Host: x:',
  'Host: x:y',
  'Host: x/y',
  'Host: u@x',
  'Host: é',

  'Host: x\t',
  'Host : x',
  'Host: x\r\nHost: x',
  'Host: x\r\nhost: y',
  'Host: %41',
  'Host: [',
  'Host: \0',
  'Host: x?y',
]
const headers = [
  'Accept: */*',
  'User-Agent: a',
  'X-A: b',
  'x-a: c',
  'Cookie: a=1',
  'Cookie: b=2',
  'X-Empty:',
  'Connection: keep-alive',

  'X-A:  spaces  ',
  'If-None-Match: "a"',
  'Authorization: Basic YTpi',
  'Authorization: second',
  'Content-Type: text/plain',
]
const oddHeaders = [
  'X_A: b',
  'X: \x7f',
  'X: \x01',
  'X: a\rb',
  'X: a\nb',
  'X: a\r\n folded',
  'X: a\r\n\tfolded',
  ' folded',
  '\tfolded',

  'X',
  ':v',
  ': v',
  'X :v',
  'X\t: v',
  'X\0: v',
  'X: \0',
  'X: é',
  'X: \xff',
  'X:\t v \t',
  'é: v',
  '"X": v',
  '(X): v',

  'Connection: close',
  'Connection: Close',
  'Connection: close, keep-alive',
  'Connection: keep-alive, close',
  'Connection:',

  'Connection: upgrade',
  'Upgrade: websocket',
  'Connection: upgrade\r\nUpgrade: h2c',
  'Connection: x',
  'Connection: keep-alive,',

  'Connection: Keep-Alive',
  'Connection: keep-alive\r\nConnection: close',
  'Proxy-Connection: close',
  'Keep-Alive: timeout=1',
  'TE: trailers',
  'Trailer: X',
  'HTTP2-Settings: x',
  '__proto__: x',
  'constructor: x',
  'Expect: 100-continue',

  'Expect: 100-Continue',
  'Expect: nothing',
  'Expect:',
  'Expect: 100-continue, x',
  `X: ${long(8_000)}`,
  `X: ${long(17_000)}`,

  'X: a\r\n'.repeat(150) + 'Y: b',
  'X:a\r\n'.repeat(2_100) + 'Y: b',
  `${long(300)}: x`,
  'Date: x',
  'Content-Length: 0',
]
const encodings = ['chunked']
const oddEncodings = [
  'Chunked',
  'CHUNKED ',
  '\tchunked',
  'chunked, gzip',
  'gzip, chunked',
  'gzip',
  'identity',
  'chunked;q=1',
  'x',
  '',

  'chunked\r\nTransfer-Encoding: chunked',
  'chunked\r\nContent-Length: 3',
  'chunked, chunked',
  'chunked,',
  '"chunked"',
]

function request(random: Random, oddity: number): string {
  const end = () => usually(random, oddity / 4, lineEnds, oddLineEnds)
  const blank = () => usually(random, oddity / 8, [' '], ['  ', '\t', ''])
  const method = usually(random, oddity, methods, oddMethods)
  const target = usually(random, oddity, targets, oddTargets)
  const version = usually(random, oddity, versions, oddVersions)
  const lines = [usually(random, oddity, hosts, oddHosts)]
  for (let count = random.integer(0, 4); count > 0; count -= 1) lines.push(usually(random, oddity, headers, oddHeaders))
  const [framing, body] = bodyOf(random, oddity, method)
  if (framing !== '') lines.splice(random.integer(0, lines.length), 0, framing)
  const head = lines.filter((line) => line !== '').map((line) => line + end())
  return `${method}${blank()}${target}${blank()}${version}${end()}${head.join('')}${end()}${body}`
}

/** @returns a header line and the body that it announces, or does not. */
function bodyOf(random: Random, oddity: number, method: string): [framing: string, body: string] {
  const usual = method === 'GET' || method === 'HEAD' ? 0.1 : 0.7
  if (!random.chance(usual)) return ['', random.chance(oddity / 4) ? 'surplus' : '']
  const content = random.choose<string>([
    [6, () => random.text(random.integer(0, 40))],
    [1, () => 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'],
    [1, () => '\r\n\0\xff'],
    [1, () => random.text(random.pick([1_999, 2_000, 2_001, 5_000]))],
  ])
  if (random.chance(0.3)) {
    const framing = `Transfer-Encoding: ${usually(random, oddity, encodings, oddEncodings)}`
    return [framing, chunks(random, oddity, content)]
  }
  const { length } = content
  const value = usually<string>(random, oddity, [`${length}`], oddLengths(length))
  return [`Content-Length:${usually(random, oddity, [' ', ''], ['  ', '\t'])}${value}`, content]
}

function oddLengths(length: number): readonly string[] {
  return [
    `${length} `,
    `${length}\t`,
    `0${length}`,
    `+${length}`,
    `-${length}`,
    `${length},${length}`,
    `${length}, ${length}`,

    `0x${length}`,
    `${length}.0`,
    `${length}e0`,
    `${length + 1}`,
    `${Math.max(0, length - 1)}`,
    '',
    'x',
    '2001',
    '1000000000',

    '99999999999999999999',
    '18446744073709551616',
    `${length}\r\nContent-Length: ${length}`,
    `${length} ${length}`,

    `${length}\r\nContent-Length: ${length + 1}`,
    `${length}\r\nTransfer-Encoding: chunked`,
    `${length}\0`,
    `${length}x`,
  ]
}

function chunks(random: Random, oddity: number, content: string): string {
  const end = () => usually(random, oddity / 2, lineEnds, oddLineEnds)
  let text = ''
  for (let start = 0; start < content.length;) {
    const size = random.integer(1, content.length - start)
    text +=
      chunkSize(random, oddity, size) + extension(random, oddity) + end() + content.slice(start, start + size) + end()
    start += size
  }
  const trailer = usually(
    random,
    oddity,
    ['', '', '', 'X-Trailer: a\r\n'],
    [
      'X-Trailer: \0\r\n',
      'Content-Length: 5\r\n',
      'Transfer-Encoding: chunked\r\n',
      ' folded\r\n',
      'X\r\n',
      `X: ${long(17_000)}\r\n`,
    ],
  )
  const last = usually(random, oddity, ['0'], ['00', '0;a=b', '', '0x0', '-0', '0 ', '000000000000000000'])
  return `${text}${last}${end()}${trailer}${end()}`
}

function chunkSize(random: Random, oddity: number, size: number): string {
  const text = size.toString(16)
  return usually(
    random,
    oddity,
    [text, text.toUpperCase(), `0${text}`],
    [
      `+${text}`,
      `-${text}`,
      `0x${text}`,
      ` ${text}`,
      `${text} `,
      `${text}\t`,
      'FFFFFFFFFFFFFFFF',
      '10000000000000000',

      '',
      'g',
      `${text}g`,
      `${text}.`,
      (size + 1).toString(16),
      `${'0'.repeat(40)}${text}`,
      `${text}\0`,
      '7fffffff',
    ],
  )
}

function extension(random: Random, oddity: number): string {
  return usually(
    random,
    oddity,
    ['', '', '', ';a', ';a=b', ';a="b c"'],
    [
      '; a = b',
      ';',
      ';;',
      ';a=',
      ';a=\0',
      ';a="b',
      ';a="\\""',
      ' ;a',
      ';a\t=b',
      ';a=b;c=d',
      ';a="\r\n"',
      ';\n',
      ';é',
      `;${long(8_000)}`,
      `;${long(17_000)}`,
      ' x',
      ',a',
    ],
  )
}

const oddBytes = ['\0', '\r', '\n', '\r\n', ' ', '\t', ':', ',', ';', '\x7f', '\x80', '\xff', '0', 'a', 'HTTP/1.1']

/** One place of the bytes changed. */
function mutated(random: Random, bytes: string): string {
  const place = random.integer(0, bytes.length)
  return random.choose([
    [3, () => bytes.slice(0, place) + random.pick(oddBytes) + bytes.slice(place)],
    [3, () => bytes.slice(0, place) + random.pick(oddBytes) + bytes.slice(place + 1)],
    [2, () => bytes.slice(0, place) + bytes.slice(place + 1)],
    [1, () => bytes.slice(0, place)],
    [1, () => bytes.slice(0, place) + bytes.slice(Math.max(0, place - random.integer(1, 30)))],
  ])
}
