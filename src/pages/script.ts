import { createHash } from 'node:crypto'
import { encodeText } from '../php/text.js'
import type { PublicFile } from './public-files.js'

/** The script of the service's own pages. It shows the buttons that copy a text; without it the text can be selected. */
const script = `for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy)
  const status = document.getElementById(button.dataset.status)
  button.hidden = false
  button.addEventListener('click', async () => {
    status.textContent = ''
    status.textContent = (await copied(source)) ? 'Copied.' : 'Press Ctrl+C to copy the selected text.'
  })
}

async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent)
    return true
  } catch {
    // Without TLS browsers offer no clipboard. The text is selected for the older command, and for the keyboard.
    getSelection().selectAllChildren(source)
    return document.execCommand('copy')
  }
}
`

const hash = createHash('sha256').update(script).digest('hex').slice(0, 12)

export const scriptPath = '/wp-includes/js/pages.js'

/** The address contains the version of the file, so that browsers may cache it for a year. */
export const scriptAddress = `${scriptPath}?ver=${hash}`

/** The script as a file. `Last-Modified` is the start of the process. */
export const scriptFile: PublicFile = {
  type: 'text/javascript; charset=UTF-8',
  etag: `"${hash}"`,
  modified: new Date(),
  read: async () => encodeText(script),
}
