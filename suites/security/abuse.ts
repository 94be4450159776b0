import { basicOf, type Ask, type Target } from './target.js'
import { attackedSanitizers } from './attacked-sanitizers.js'
import { repeatedBodies } from './repeated-bodies.js'

/** An input that can be made of any size. */
interface Shape {
  readonly what: string
  /** @param size in bytes, about. */
  readonly request: (size: number) => { readonly method: string; readonly path: string; readonly ask: Ask }
}

/** In bytes. Each is ten times the one before. */
const sizes = [1_000, 10_000, 100_000, 1_000_000]
const largest = Math.max(...sizes)
/** Of the larger one of two sizes. */
const middlePart = 0.316
/**
 * Ten times the input may take ten times as long, and three times that for what the machine adds: quadratic work takes a
 * hundred times as long.
 */
const maxRatio = 30
/**
 * From the middle size to the larger one linear work takes 3.2 times as long, quadratic work ten times. This is asked
 * where the first ratio is too large, because collections of garbage often begin between the smaller and the middle size.
 */
const maxHalfRatio = 6
/**
 * From the larger size to twice of it linear work takes twice as long, quadratic work four times. This is asked where both
 * ratios are too large, because a step in the middle of them, such as memory that the system gives and takes back from a
 * certain size on, makes both large and this one not.
 */
const maxDoubleRatio = 3
/** Microseconds. Below it a measurement says nothing about the input. */
const floor = 3_000

const json = (value: unknown): Ask => raw('application/json', JSON.stringify(value))
const raw = (type: string, body: string): Ask => ({ headers: { 'Content-Type': type }, body })
const post = (ask: Ask) => ({ method: 'POST', path: '/wp-json/guarded/v1/costly', ask })
const repeated = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length)).slice(0, size)

/** A text whose JSON has at most this many bytes. */
function encodedTo(text: string, size: number): string {
  return text.repeat(Math.floor(size / (Buffer.byteLength(JSON.stringify(text)) - 2)))
}

/** Bodies that readers of JSON and forms could take long for. The service refuses some of them by their size. */
const bodies: readonly Shape[] = [
  {
    what: 'JSON: a list of numbers',
    request: (size) => post(raw('application/json', `{"list":[${repeated('1,', size)}1]}`)),
  },
  { what: 'JSON: nested lists', request: (size) => post(raw('application/json', repeated('[', size))) },
  { what: 'JSON: nested maps', request: (size) => post(raw('application/json', repeated('{"a":', size))) },
  {
    what: 'JSON: one name again and again',
    request: (size) => post(raw('application/json', `{${repeated('"a":1,', size)}"b":2}`)),
  },
  {
    what: 'JSON: many names',
    request: (size) =>
      post(json({ map: Object.fromEntries(Array.from({ length: size / 14 }, (_, at) => [`n${at}`, 'x'])) })),
  },
  {
    what: 'JSON: names that are numbers',
    request: (size) =>
      post(json({ map: Object.fromEntries(Array.from({ length: size / 14 }, (_, at) => [at * 7 + 1, 'x'])) })),
  },
  {
    what: 'JSON: escapes',
    request: (size) => post(raw('application/json', `{"esc_html":"${repeated('\\u00e9', size)}"}`)),
  },
  {
    what: 'JSON: a number of digits',
    request: (size) => post(raw('application/json', `{"list":[${repeated('9', size)}]}`)),
  },
  { what: 'JSON: white space', request: (size) => post(raw('application/json', `${repeated(' \n', size)}{}`)) },
  {
    what: 'form: many variables',
    request: (size) => post(raw('application/x-www-form-urlencoded', repeated('a=1&', size))),
  },
  {
    what: 'form: a list',
    request: (size) => post(raw('application/x-www-form-urlencoded', repeated('list[]=1&', size))),
  },
  {
    what: 'form: brackets',
    request: (size) => post(raw('application/x-www-form-urlencoded', `list${repeated('[a]', size)}=1`)),
  },
  {
    what: 'form: open brackets',
    request: (size) => post(raw('application/x-www-form-urlencoded', `list${repeated('[', size)}=1`)),
  },
  {
    what: 'form: percent signs',
    request: (size) => post(raw('application/x-www-form-urlencoded', `esc_html=${repeated('%', size)}`)),
  },
  { what: 'form: separators', request: (size) => post(raw('application/x-www-form-urlencoded', repeated('&=', size))) },
  {
    what: 'multipart: parts without names',
    request: (size) => post(raw('multipart/form-data; boundary=b', repeated('--b\r\nX: y\r\n\r\n\r\n', size))),
  },
  {
    what: 'multipart: beginnings of a boundary',
    request: (size) =>
      post(
        raw(
          'multipart/form-data; boundary=bbbbbbbbb',
          `--bbbbbbbbb\r\nContent-Disposition: form-data; name="a"\r\n\r\n${repeated('\r\n--bbbbbbbb', size)}`,
        ),
      ),
  },
  {
    what: 'multipart: headers of a part',
    request: (size) => post(raw('multipart/form-data; boundary=b', `--b\r\n${repeated('a: b\r\n', size)}`)),
  },
  { what: 'a body of no known type', request: (size) => post(raw('text/plain', repeated('x', size))) },
]

/** Rules of arguments whose work depends on all of the value. */
const rules: readonly Shape[] = [
  {
    what: 'unique items',
    request: (size) => post(json({ unique: Array.from({ length: size / 8 }, (_, at) => `${at}`) })),
  },
  {
    what: 'unique items that are lists',
    request: (size) => post(json({ unique: Array.from({ length: size / 30 }, (_, at) => [at, 'a', { b: at }]) })),
  },
  {
    what: 'anyOf',
    request: (size) => post(json({ either: [...Array.from({ length: size / 3 }, () => 1), 'x'].slice(0, 90_000) })),
  },
  { what: 'a list as text', request: (size) => post(json({ list: repeated('1, ', size) })) },
  { what: 'a pattern', request: (size) => post(json({ pattern: `${repeated('a-', size)}!` })) },
  { what: 'a pattern without dashes', request: (size) => post(json({ pattern: `${repeated('a', size)}!` })) },
  { what: 'an e-mail address', request: (size) => post(json({ email: `${repeated('a.', size)}@b.example` })) },
  { what: 'the domain of an e-mail address', request: (size) => post(json({ email: `a@${repeated('b.', size)}` })) },
  { what: 'a date', request: (size) => post(json({ date: `2026-11-24T00:00:00.${repeated('0', size)}x` })) },
]

/** Texts that make a reader look ahead, look back, or start again. */
const texts: readonly string[] = [
  '<',
  '>',
  '<a',
  '<a ',
  '<a href="',
  '<!--',
  '<!-- wp:a {"b":"',
  '<!-- wp:a -->',
  '&',
  '&#',
  '&#x41',
  '&amp',
  '%',
  '%25',
  '%2525',
  "'",
  '"<',
  '\\',
  '[',
  ' ',
  '\t\n',
  '-',
  '.',
  '.a.',
  '@',
  ';//',
  'javascript:',
  '&#106;avascript&colon;',
  '<p style="a:b;',
  '<p style="background:url(',
  '<script>',
  '<style>x',
  '</',
  '\u00e9',
  '\u{1f4a5}',
  '0,',
  ' 1',
  '\0',
]

/** The time of the service's process grows no faster than the input. */
export async function attackWithSize(target: Target): Promise<void> {
  const shapes = [
    ...bodies,
    ...rules,
    ...attackedSanitizers.flatMap((name) =>
      texts
        .filter(() => target.random.chance(0.08 * target.scale))
        .map((text) => ({
          what: `${name} of ${JSON.stringify(text)}`,
          request: (size: number) => post(json({ [name]: encodedTo(text, size) })),
        })),
    ),
    ...contentShapes(target),
    ...accountShapes(target),
    ...formShapes(target),
    ...headShapes,
    ...repeatedBodies.map(({ what, ask }) => ({ what, request: (size: number) => post(ask(size)) })),
  ]
  const slowest = { what: '', time: 0 }
  for (const shape of shapes) {
    const time = await measure(target, shape)
    if (time > slowest.time) Object.assign(slowest, { what: shape.what, time })
  }
  target.note(
    `${shapes.length} inputs of up to ${largest / 1_000_000} MB; the slowest took ${(slowest.time / 1000).toFixed(0)} ms of a processor: ${slowest.what}`,
  )
}

/** Titles and contents of somebody whose HTML is filtered, and a log-in. */
function contentShapes(target: Target): readonly Shape[] {
  const author = target.member('author-1')
  const headers = { Authorization: basicOf(author, author.applicationPassword), 'Content-Type': 'application/json' }
  return texts
    .filter(() => target.random.chance(0.15 * target.scale))
    .map((text) => ({
      what: `a record of ${JSON.stringify(text)}`,
      request: (size: number) => ({
        method: 'POST',
        path: '/wp-json/shop/v1/products',
        ask: { headers, body: JSON.stringify({ title: 'Large', content: encodedTo(text, size), price: 1 }) },
      }),
    }))
}

/** Fields of a profile, names of application passwords, and requests of a batch. */
function accountShapes(target: Target): readonly Shape[] {
  const author = target.member('author-2')
  const headers = { Authorization: basicOf(author, author.applicationPassword), 'Content-Type': 'application/json' }
  const me = '/wp-json/wp/v2/users/me'
  const shape = (what: string, method: string, path: string, valueOf: (size: number) => unknown): Shape => ({
    what,
    request: (size) => ({ method, path, ask: { headers, body: JSON.stringify(valueOf(size)) } }),
  })
  const drawn = (): readonly string[] => texts.filter(() => target.random.chance(0.06 * target.scale))
  const fields = ['name', 'nickname', 'first_name', 'description', 'url', 'slug', 'email', 'password', 'locale']
  return [
    ...fields.flatMap((field) =>
      drawn().map((text) =>
        shape(`the field ${field} of ${JSON.stringify(text)}`, 'POST', me, (size) => ({
          [field]: encodedTo(text, size),
        })),
      ),
    ),
    ...drawn().map((text) =>
      shape(`an application password of ${JSON.stringify(text)}`, 'POST', `${me}/application-passwords`, (size) => ({
        name: encodedTo(text, size),
      })),
    ),
    shape('requests of a batch', 'POST', '/wp-json/batch/v1', (size) => ({
      requests: Array.from({ length: size / 40 }, (_, at) => ({ path: `/guarded/v1/none/${at}` })),
    })),
    shape('a path of a batch', 'POST', '/wp-json/batch/v1', (size) => ({
      requests: [{ path: `/${repeated('a/', size)}` }],
    })),
    shape('a query of a batch', 'POST', '/wp-json/batch/v1', (size) => ({
      requests: [{ path: `/guarded/v1/publications?${repeated('a[]=1&', size)}` }],
    })),
  ]
}

/** Forms of pages that need no login. Each request comes from another address, so that no limit refuses it. */
function formShapes(target: Target): readonly Shape[] {
  const forms: readonly (readonly [what: string, action: string, field: string, others: string])[] = [
    ['the login name', '', 'log', '&pwd=x'],
    ['the password of a log-in', '', 'pwd', '&log=nobody'],
    ['the destination of a log-in', '', 'redirect_to', '&log=&pwd='],
    ['the name of a lost password', '?action=lostpassword', 'user_login', ''],
    ['the password of a record', '?action=postpass', 'post_password', ''],
    ['the destination of a password of a record', '?action=postpass', 'redirect_to', ''],
    ['the key of a new password', '?action=resetpass', 'rp_key', '&pass1=x&pass2=x'],
  ]
  return forms.flatMap(([what, action, field, others]) =>
    texts
      .filter(() => target.random.chance(0.06 * target.scale))
      .map((text) => ({
        what: `${what} of ${JSON.stringify(text)}`,
        request: (size: number) => ({
          method: 'POST',
          path: `/wp-login.php${action}`,
          ask: {
            headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
            body: `${field}=${repeated(encodeURIComponent(text), size)}${others}`,
            from: target.freshAddress(),
          },
        }),
      })),
  )
}

/** What is not a body has at most 16 KiB, so these shapes are compared at a tenth of each size. */
const headShapes: readonly Shape[] = (
  [
    ['cookies', (size) => ({ headers: { Cookie: repeated('a=b; ', size) } })],
    ['brackets in the names of cookies', (size) => ({ headers: { Cookie: repeated('a[[=b;', size) } })],
    ['tags of If-None-Match', (size) => ({ headers: { 'If-None-Match': repeated('"a", ', size) } })],
    ['addresses of X-Forwarded-For', (size) => ({ headers: { 'X-Forwarded-For': repeated('127.0.0.1, ', size) } })],
    ['an Authorization', (size) => ({ headers: { Authorization: `Basic ${repeated('YTo=', size)}` } })],
    ['a Content-Type', (size) => ({ headers: { 'Content-Type': repeated('application/json;', size) }, body: '{}' })],
  ] as readonly (readonly [string, (size: number) => Ask])[]
).map(([what, ask]) => ({
  what,
  request: (size) => ({ method: 'GET', path: '/wp-json/guarded/v1/echo', ask: ask(Math.floor(size / 70)) }),
}))

/** @returns microseconds of the largest size. */
async function measure(target: Target, { what, request }: Shape): Promise<number> {
  let largestTime = 0
  const timeOf = async (size: number): Promise<number> => {
    const { method, path, ask } = request(size)
    const before = await target.service.call<number>('cpu')
    const response = await target.ask(method, path, ask)
    const after = await target.service.call<number>('cpu')
    target.check(response.status < 500 ? null : `${what} of ${size} bytes: ${response.status}`)
    return after - before
  }
  await timeOf(1_000)
  /**
   * Compares two sizes. Work that a limit of the service ends grows between two of the lower ones only.
   * @returns microseconds of the upper one.
   */
  const compare = async (lower: number, upper: number): Promise<number> => {
    // Further looks are taken only at what seems slow: one measurement may have met a collection of garbage.
    const lowerTimes: number[] = [await timeOf(lower)]
    const upperTimes: number[] = [await timeOf(upper)]
    for (let more = 0; more < 4 && ratioOf(lowerTimes, upperTimes) > maxRatio / 2; more += 1) {
      lowerTimes.push(await timeOf(lower))
      upperTimes.push(await timeOf(upper))
    }
    const ratio = ratioOf(lowerTimes, upperTimes)
    const middle = Math.floor(upper * middlePart)
    const middleTimes: number[] = []
    if (ratio > maxRatio) for (let more = 0; more < 5; more += 1) middleTimes.push(await timeOf(middle))
    const double = upper * 2
    const doubleTimes: number[] = []
    const isSlow = ratio > maxRatio && ratioOf(middleTimes, upperTimes) > maxHalfRatio
    if (isSlow) for (let more = 0; more < 5; more += 1) doubleTimes.push(await timeOf(double))
    // A double size that takes less time was refused by a limit and says nothing.
    const isStep =
      isSlow && least(doubleTimes) > least(upperTimes) && ratioOf(upperTimes, doubleTimes) <= maxDoubleRatio
    target.check(
      !isSlow || isStep
        ? null
        : `${what}: ${lower} bytes take ${least(lowerTimes)} µs, ${middle} bytes ${least(middleTimes)} µs, ${upper} bytes ${least(upperTimes)} µs, ${double} bytes ${least(doubleTimes)} µs, ${ratio.toFixed(0)} times as long.`,
    )
    return least(upperTimes)
  }
  for (const [index, upper] of sizes.entries()) if (index > 0) largestTime = await compare(sizes[index - 1] ?? 0, upper)
  return largestTime
}

function ratioOf(smallTimes: readonly number[], largeTimes: readonly number[]): number {
  return least(largeTimes) / Math.max(floor, least(smallTimes))
}

/**
 * The time of the work itself. Collections of garbage and new pages of memory only add to it: for a megabyte, the stack of a
 * regular expression takes 13 ms or 50 to 130 ms. Quadratic work takes its time in each of them.
 */
const least = (times: readonly number[]): number => Math.min(...times)
