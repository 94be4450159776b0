/** Numbers from 0 to below 1 that are the same for the same text, on every machine (xorshift of an FNV hash). */
export function chanceOf(text: string): () => number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  state = state >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
