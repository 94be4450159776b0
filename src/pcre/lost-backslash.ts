/**
 * A message when the pattern looks as if it was written in a JavaScript string without doubled backslashes: `(?P<id>d+)`,
 * `[w-]+`, or a control character in place of `\b`, `\f` or `\v`. Null for any other pattern.
 */
export function lostBackslash(pattern: string): string | null {
  const controlMatch = /[\b\f\v]/.exec(pattern)
  if (controlMatch) {
    const letter = { '\b': 'b', '\f': 'f', '\v': 'v' }[controlMatch[0]] ?? ''
    return messageOf(`a control character stands where '\\${letter}' was meant`, `\\${letter}`)
  }
  // A single letter with a quantifier for several: real patterns do not repeat one of these letters.
  const letterMatch = /(?<![\w\\$%-]|\\[pP]\{?)([dwsDWS])(?:[+*]|\{\d)/.exec(withoutClasses(pattern))
  if (letterMatch)
    return messageOf(
      `'${letterMatch[0]}' matches the letter '${letterMatch[1] ?? ''}' only`,
      `\\${letterMatch[1] ?? ''}`,
    )
  const classMatch = /(?<!\\)\[\^?([dws]{1,3})[-_.%/]*\][+*{]/.exec(pattern)
  if (classMatch)
    return messageOf(`'${classMatch[0].slice(0, -1)}' matches the letter itself`, `\\${classMatch[1]?.[0] ?? ''}`)
  return null
}

function messageOf(symptom: string, escape: string): string {
  return `The pattern lost a backslash: ${symptom}. Inside a JavaScript string write '\\${escape}'.`
}

/** Replaces each character class by `[]`. */
function withoutClasses(pattern: string): string {
  return pattern.replaceAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/gs, (part) => (part.startsWith('[') ? '[]' : part))
}
