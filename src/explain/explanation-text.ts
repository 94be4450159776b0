import { sourceLocationText } from '../routing/source-location.js'
import type { Explanation, NearMiss, Step } from './explanation.js'

/** An explanation for people: the summary first, then every step with its reasons. */
export function explanationText(explanation: Explanation): string {
  const { summary, steps, nearest, allow } = explanation
  const lines = [summary, '', ...steps.map(stepText)]
  if (nearest.length > 0) lines.push('', 'Did you mean', ...nearest.map(nearText))
  if (allow !== null) lines.push('', `Allow: ${allow}`)
  return lines.map(printable).join('\n')
}

const mark = { passed: '+', refused: 'x', 'not reached': '.' } as const satisfies Record<Step['outcome'], string>
const indent = ' '.repeat(18)

function stepText({ name, outcome, lines: [first = '(not reached)', ...others] }: Step): string {
  return [`${mark[outcome]} ${name.padEnd(14)}  ${first}`, ...others.map((line) => indent + line)].join('\n')
}

function nearText({ suggestion, reason, place }: NearMiss): string {
  return [`  ${suggestion}${place ? `  (${sourceLocationText(place)})` : ''}`, `    ${reason}`].join('\n')
}

/** Values come from a command line or a database: control sequences among them must not reach a terminal. */
function printable(text: string): string {
  return text.replace(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g, '\ufffd')
}
