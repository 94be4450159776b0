import { sourceLocationText } from '../routing/source-location.js'
import type { Explanation, NearMiss, Step } from './explanation.js'

/** An explanation as text: the summary, then every step with its lines. */
export function explanationText(explanation: Explanation): string {
  const { summary, steps, nearest, allow } = explanation
  const lines = [summary, '', ...steps.map(stepText)]
  if (nearest.length > 0) lines.push('', 'Did you mean', ...nearest.map(nearMissText))
  if (allow !== null) lines.push('', `Allow: ${allow}`)
  return lines.join('\n')
}

const marks = { passed: '+', refused: 'x', answered: '=', 'not reached': '.' } as const satisfies Record<
  Step['outcome'],
  string
>
const indent = ' '.repeat(19)

function stepText({ name, outcome, lines: [first = '(not reached)', ...others] }: Step): string {
  return [`${marks[outcome]} ${name.padEnd(15)}  ${first}`, ...others.map((line) => indent + line)].join('\n')
}

function nearMissText({ suggestion, reason, place }: NearMiss): string {
  return [`  ${suggestion}${place ? `  (${sourceLocationText(place)})` : ''}`, `    ${reason}`].join('\n')
}
