import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { chromium, type BrowserContext, type Page } from 'playwright-core'

/** Debian's, or what a developer has; CI installs it, and there a missing browser is a failure. */
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

/** The reason to skip a test, or false. */
export const skip =
  executablePath === undefined && process.env['CI'] === undefined ? 'no Chromium on this machine' : false

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser with a profile of its own, which `close` removes. */
export async function openChromium(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<{
  readonly context: BrowserContext
  readonly close: () => Promise<void>
}> {
  const profile = mkdtempSync(join(tmpdir(), 'browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executablePath ?? '',
    headless: true,
    ...options,
    args: quiet,
  })
  return {
    context,
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** What axe finds wrong on a page: the rule and the first element of each. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  // As text: the compiler that runs the tests leaves helpers in functions, which the page does not have.
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`)
}

/** The elements that reach beyond the sides of the screen, and the controls that are partly outside of it. */
export async function overflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth
    const wide = document.documentElement.scrollWidth > width ? ['the page is ' + document.documentElement.scrollWidth + ' wide'] : []
    const controls = [...document.querySelectorAll('a, button, input, summary, code')].filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect()
      return own > 0 && !element.classList.contains('skip') && (left < 0 || right > width + 0.5)
    })
    return [...wide, ...controls.map((element) => element.outerHTML.slice(0, 120))]
  })()`)
}
