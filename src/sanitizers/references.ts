/**
 * The text without what looks like a character reference: from `&` to the next `;` of the same line, known or not, with
 * something in between.
 */
export function withoutReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.split('\n').map(lineWithoutReferences).join('\n')
}

function lineWithoutReferences(line: string): string {
  let kept = ''
  let index = 0
  for (let start = line.indexOf('&'); start !== -1; start = line.indexOf('&', index)) {
    const end = line.indexOf(';', start + 2)
    if (end === -1) break
    kept += line.slice(index, start)
    index = end + 1
  }
  return kept + line.slice(index)
}
