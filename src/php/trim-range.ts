import { trimCharacters } from './trim.js'

/** PHP's `trim` with its second argument, a list of characters in which `a..f` stands for a range. */
export function trimList(text: string, list: string): string {
  const characters = list.replace(/([\0-\xff])\.\.([\0-\xff])/g, (range, first: string, last: string) => {
    const from = first.charCodeAt(0)
    const length = last.charCodeAt(0) - from + 1
    return length > 0 ? String.fromCharCode(...Array.from({ length }, (_, offset) => from + offset)) : range
  })
  return trimCharacters(text, characters)
}
