import type { Outcome } from './exchange.js'

/** A difference between both ways, or a late response on both, that stays. docs/operating.md names each of them. */
export interface Difference {
  readonly name: string
  readonly reason: string
  /** Whether it explains the outcomes. */
  readonly explains: (bytes: string, outcomes: readonly Outcome[]) => boolean
}

export const listedDifferences: readonly Difference[] = [
  {
    name: 'RTSP',
    reason: 'the parser of node:http reads RTSP/1.0 and ICE/1.0 as HTTP/1.0 and does not tell',
    explains: (bytes) => /^[\r\n]*[^\r\n]* (?:RTSP|ICE)\/\d\.\d\r?\n/.test(bytes),
  },
  {
    name: 'broken chunks behind Upgrade',
    reason: 'node:http reports no fault in the body of a request with Upgrade, so the response is 408 after 60 s',
    explains: (bytes, outcomes) =>
      /^upgrade:/im.test(bytes) &&
      /^transfer-encoding:/im.test(bytes) &&
      outcomes.every(({ fate, received }) => fate.endsWith('no end') && received === outcomes[0]?.received),
  },
]
