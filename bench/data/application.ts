import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import typescript from 'typescript'
import { applicationFolder, root } from '../places.js'
import { built } from './built.js'

const configuration = 'as-rest-route.config.ts'

/**
 * Builds the application of rows without cache, as one would deploy it: the example's own handler classes, whose
 * declarations lose their `cache` and nothing else, beside the routes that only the benchmark has.
 * @param folder absolute, with a slash at its end; what it holds is removed.
 * @param checkout whose example and benchmark are built; with a slash at its end.
 * @throws Error when the example declares no `cache`: the rows would not show what they say.
 */
export function makeApplication(folder = applicationFolder, checkout = root): void {
  const shop = `${checkout}examples/shop/`
  const own = `${checkout}bench/application/`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(`${folder}app`, { recursive: true })
  const write = (name: string, source: string, transformers?: typescript.CustomTransformers) =>
    writeFileSync(folder + name.replace(/ts$/, 'js'), built(source, transformers))
  let removed = 0
  const withoutCache: typescript.TransformerFactory<typescript.SourceFile> = (context) => (file) => {
    const visit = (node: typescript.Node): typescript.Node | undefined => {
      if (!isCacheRule(node, file)) return typescript.visitEachChild(node, visit, context)
      removed += 1
      return undefined
    }
    return typescript.visitEachChild(file, visit, context)
  }
  for (const name of namesIn(`${shop}app/`)) {
    write(`app/${name}`, readFileSync(`${shop}app/${name}`, 'utf8'), { before: [withoutCache] })
  }
  if (removed === 0) throw new Error('No declaration of examples/shop has a cache.')
  for (const name of namesIn(`${own}app/`)) write(`app/${name}`, readFileSync(`${own}app/${name}`, 'utf8'))
  write('shop.config.ts', readFileSync(shop + configuration, 'utf8'))
  const text = readFileSync(own + configuration, 'utf8')
  write(configuration, text.replace('../../examples/shop/as-rest-route.config.js', './shop.config.js'))
}

function isCacheRule(node: typescript.Node, file: typescript.SourceFile): boolean {
  return typescript.isPropertyAssignment(node) && node.name.getText(file) === 'cache'
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
}
