import type { Ask } from './target.js'

/** A body that begins with one text, and then has another one again and again. */
export interface RepeatedBody {
  readonly what: string
  /** @param size in bytes, about. */
  readonly ask: (size: number) => Ask
}

interface Bodies {
  readonly type: string
  readonly starts: readonly string[]
  readonly pieces: readonly string[]
}

const head = '--X\r\nContent-Disposition: form-data; name="a"'

const kinds: readonly Bodies[] = [
  {
    type: 'application/json',
    starts: ['', '[', '"', '[1,'],
    pieces: ['[', '[]', '{', '{"a":', '"', '\\', '1', '1,', 'e', ' ', '\xff', '"a', 't', '-', '\\u0041', '\\"', '\0'],
  },
  {
    type: 'multipart/form-data; boundary=X',
    starts: ['', head, `${head}\r\n`, `${head}\r\n\r\n`],
    pieces: [
      '\n',
      '\r',
      '-',
      '--X\r\n',
      '\n--X',
      '\r\n--X\r\n',
      ';',
      '; a="',
      '; a="\\"',
      '; ',
      '\n ',
      'x:y\n',
      '; a=\'"',
      '= ',
      '--X\r\nContent-Disposition: form-data; x=y\r\n\r\n\r\n',
    ],
  },
  {
    type: 'application/x-www-form-urlencoded',
    starts: ['a'],
    pieces: ['&', 'a&', 'a[', 'a[]=&', '[x]', '%', '%41', '=', '+', ' ', '.', '[', ']', '%5B', '\0', 'a[b]=c&', '\xff'],
  },
  { type: 'application/x-www-form-urlencoded', starts: ['_fields='], pieces: ['a.', 'a,', ' ', ', '] },
]

/** Valid and invalid bodies of which a reader could read a part again for each repetition. */
export const repeatedBodies: readonly RepeatedBody[] = kinds.flatMap(({ type, starts, pieces }) =>
  starts.flatMap((start) =>
    pieces.map((piece) => ({
      what: `${type.replace(/;.*/, '')}: ${JSON.stringify(start + piece)} again and again`,
      ask: (size: number) => ({
        headers: { 'Content-Type': type },
        // Of one byte for each character.
        body: Buffer.from(start + piece.repeat(Math.floor(size / piece.length)), 'latin1'),
      }),
    })),
  ),
)
