import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A temporary folder in which the modules of the documentation find the package. */
export const documentedFolder = mkdtempSync(join(tmpdir(), 'documented-'))
after(() => rmSync(documentedFolder, { recursive: true }))
symlinkSync(join(root, 'node_modules'), join(documentedFolder, 'node_modules'))
writeFileSync(join(documentedFolder, 'package.json'), '{ "type": "module" }')

/** What a code block exports, by name. */
export type DocumentedModule = Readonly<Record<string, unknown>>

/** The code blocks of a page, in their order. */
export function documentedBlocks(page: string): readonly string[] {
  const text = readFileSync(join(root, 'docs', `${page}.md`), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
}

const pages = new Map<string, Promise<readonly DocumentedModule[]>>()

/** The modules of the code blocks of a page, in their order, without those of tests. */
export function documentedModules(page: string): Promise<readonly DocumentedModule[]> {
  const modules = pages.get(page) ?? modulesOf(page)
  pages.set(page, modules)
  return modules
}

async function modulesOf(page: string): Promise<readonly DocumentedModule[]> {
  mkdirSync(join(documentedFolder, page))
  return Promise.all(
    documentedBlocks(page)
      .filter((code) => !code.includes('as-rest-route/testing'))
      .map((code, index) => {
        const file = join(documentedFolder, page, `block-${index + 1}.ts`)
        writeFileSync(file, code)
        return import(pathToFileURL(file).href) as Promise<DocumentedModule>
      }),
  )
}
