/**
 * The plugin of Vite and Vitest: `plugins: [asRestRoute()]`.
 *
 * Vite 8 leaves decorators in its output, and no Node reads them yet; Vite 7 lowers them, unless its target is
 * `esnext`. With this plugin both do. It needs the package `esbuild`, which Vite 7 brings along and Vite 8 does not.
 */
import type { TransformOptions, TransformResult } from 'esbuild'
import { noteVitePlugin } from './app/vitest-plugin.js'

/** The members of Vite's `Plugin` that are used here, so that this package needs neither Vite nor one version of its types. */
export interface DecoratorPlugin {
  readonly name: string
  readonly enforce: 'pre'
  transform(code: string, id: string): Promise<{ readonly code: string; readonly map: string } | null>
}

/** Lowers standard decorators in TypeScript; all other syntax is left to Vite. */
export function asRestRoute(): DecoratorPlugin {
  noteVitePlugin()
  return {
    name: 'as-rest-route',
    enforce: 'pre',
    async transform(code, id) {
      const file = id.replace(/[?#].*$/s, '')
      if (!/\.[cm]?tsx?$/.test(file) || !code.includes('@')) return null
      const transform = await esbuildTransform()
      const lowered = await transform(code, {
        loader: file.endsWith('x') ? 'tsx' : 'ts',
        jsx: 'preserve',
        target: 'esnext',
        supported: { decorators: false },
        sourcefile: file,
        sourcemap: 'external',
      })
      return { code: lowered.code, map: lowered.map }
    },
  }
}

type Transform = (code: string, options: TransformOptions) => Promise<TransformResult>

/** @throws Error when esbuild is not installed, with the command that installs it. */
async function esbuildTransform(): Promise<Transform> {
  try {
    return (await import('esbuild')).transform
  } catch (cause) {
    throw new Error('as-rest-route/vite needs the package esbuild: npm install --save-dev esbuild', { cause })
  }
}
