#!/usr/bin/env node
import { needsSupervisor } from './supervision.js'

const words = process.argv.slice(2)
if (needsSupervisor(words)) (await import('./supervisor.js')).supervise(words)
else await (await import('./command-process.js')).runAndExit(words)
