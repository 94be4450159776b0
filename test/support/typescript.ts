/** The arguments of Node with which it runs the TypeScript of this project. */
export const typescriptArguments = ['--import', new URL('../../scripts/typescript/register.mjs', import.meta.url).href]
