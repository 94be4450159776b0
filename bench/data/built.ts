import typescript from 'typescript'

/** JavaScript of a TypeScript module, as one would deploy it. */
export function built(source: string, transformers: typescript.CustomTransformers = {}): string {
  return typescript.transpileModule(source, {
    compilerOptions: { target: typescript.ScriptTarget.ES2022, module: typescript.ModuleKind.ESNext },
    transformers,
  }).outputText
}
