#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { createProject, ProjectRefusedError } from './create.js'

const usage = `Makes a new project with as-rest-route.

  npm create as-rest-route@latest <folder>

<folder> must be new or empty; its name becomes the name of the package. Nothing is downloaded before npm install.

  --help      this text
  --version   the version, also of the as-rest-route that the project will use`

process.exitCode = run()

/** @returns {number} exit code: 0 done, 1 refused, 2 wrongly used. */
function run() {
  const { values, positionals, problem } = parsed()
  if (values.help) return say(usage, 0)
  if (values.version) return say(JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version, 0)
  const [folder, ...others] = positionals
  if (problem !== undefined) return complain(`${problem}\n\n${usage}`, 2)
  if (folder === undefined) return complain(`Which folder? For example: npm create as-rest-route@latest my-api`, 2)
  if (others.length > 0) return complain(`One folder, please; '${others[0]}' is one too many.`, 2)
  try {
    const project = createProject(folder)
    const below = relative(process.cwd(), project)
    return say(nextSteps(below.split(sep)[0] === '..' ? project : below), 0)
  } catch (error) {
    if (error instanceof ProjectRefusedError) return complain(error.message, 1)
    throw error
  }
}

function parsed() {
  const options = /** @type {const} */ ({
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  })
  try {
    return { ...parseArgs({ options, allowPositionals: true }), problem: undefined }
  } catch (error) {
    return { values: {}, positionals: [], problem: /** @type {Error} */ (error).message }
  }
}

/** @param {string} folder where the project is; '' is the current one. */
function nextSteps(folder) {
  const enter = folder === '' ? [] : [`  cd ${/\s/.test(folder) ? `"${folder}"` : folder}`]
  return [
    'The project is there. Next:',
    '',
    ...enter,
    '  npm install',
    '  npm run dev      serves it, and starts anew when a file changes',
    '  npm test',
  ].join('\n')
}

/** @param {string} text @param {number} exitCode */
function say(text, exitCode) {
  process.stdout.write(`${text}\n`)
  return exitCode
}

/** @param {string} text @param {number} exitCode */
function complain(text, exitCode) {
  process.stderr.write(`${text}\n`)
  return exitCode
}
