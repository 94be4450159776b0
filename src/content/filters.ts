import { phpTrim } from '../php/trim.js'
import { ksesData, ksesPost } from '../sanitizers/kses.js'
import { windowsCharacter } from '../sanitizers/windows-characters.js'

/**
 * What WordPress does to texts before it stores them: titles are trimmed, and `&#128;` to `&#159;` in contents, which
 * old editors meant as Windows characters, become the characters meant. For a caller without `unfiltered_html` a title
 * keeps only the tags of the short list, a content those of the list for posts. Rules: docs/wire.md#creating-a-record.
 */
export function filteredTitle(title: string, trusted: boolean): string {
  const trimmed = phpTrim(title)
  return trusted ? trimmed : ksesData(trimmed)
}

/** See {@link filteredTitle}. For excerpts too. */
export function filteredContent(content: string, trusted: boolean): string {
  return withWindowsCharacters(trusted ? content : ksesPost(content))
}

function withWindowsCharacters(content: string): string {
  if (!content.includes('&#1')) return content
  return content.replace(/&#(12[89]|1[345]\d);/g, (_, code: string) => {
    const character = windowsCharacter(Number(code)).charCodeAt(0)
    // Five of the 32 places are empty in the Windows character set.
    return character === Number(code) ? '' : `&#${character};`
  })
}
