/**
 * The text without character references. A reference reaches from `&` to the next `;` of the same line, with at least
 * one character in between, whether or not its name exists.
 */
export function withoutReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.split('\n').map(lineWithoutReferences).join('\n')
}

function lineWithoutReferences(line: string): string {
  let output = ''
  let index = 0
  for (let start = line.indexOf('&'); start !== -1; start = line.indexOf('&', index)) {
    const end = line.indexOf(';', start + 2)
    if (end === -1) break
    output += line.slice(index, start)
    index = end + 1
  }
  return output + line.slice(index)
}
