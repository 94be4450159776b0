/** A difference between both ways that stays. docs/operating.md names each of them. */
export interface Difference {
  readonly name: string
  readonly reason: string
  /** Whether the bytes can cause it. */
  readonly causedBy: (bytes: string) => boolean
}

export const listedDifferences: readonly Difference[] = [
  {
    name: 'RTSP',
    reason: 'the parser of node:http reads RTSP/1.0 and ICE/1.0 as HTTP/1.0 and does not tell',
    causedBy: (bytes) => /^[\r\n]*[^\r\n]* (?:RTSP|ICE)\/\d\.\d\r?\n/.test(bytes),
  },
]
