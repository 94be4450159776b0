/**
 * A sentence when the pattern looks as if JavaScript had eaten its backslashes: `(?P<id>d+)`, `[w-]+`, or a control
 * character where `\b`, `\f` or `\v` stood. Null when it looks right.
 */
export function lostBackslash(pattern: string): string | null {
  const control = /[\b\f\v]/.exec(pattern)
  if (control) {
    const letter = { '\b': 'b', '\f': 'f', '\v': 'v' }[control[0]] ?? ''
    return sentence(`a control character stands where '\\${letter}' was meant`, `\\${letter}`)
  }
  // A single letter before a quantifier for many: a real pattern does not repeat the letter d.
  const alone = /(?<![\w\\$%-]|\\[pP]\{?)([dwsDWS])(?:[+*]|\{\d)/.exec(withoutClasses(pattern))
  if (alone) return sentence(`'${alone[0]}' matches the letter '${alone[1] ?? ''}' only`, `\\${alone[1] ?? ''}`)
  const listed = /(?<!\\)\[\^?([dws]{1,3})[-_.%/]*\][+*{]/.exec(pattern)
  if (listed) return sentence(`'${listed[0].slice(0, -1)}' matches the letter itself`, `\\${listed[1]?.[0] ?? ''}`)
  return null
}

function sentence(seen: string, meant: string): string {
  return `The pattern lost a backslash: ${seen}. Inside a JavaScript string write '\\${meant}'.`
}

function withoutClasses(pattern: string): string {
  return pattern.replaceAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/gs, (part) => (part.startsWith('[') ? '[]' : part))
}
