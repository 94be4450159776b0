/**
 * What runs on the threads of the pool: one slow hash at a time. Loaded by itself, so it takes nothing from the rest
 * of the service that is needed at run time.
 */
import { parentPort } from 'node:worker_threads'
import { resultOf, type HashTask } from './hash-task.js'

const port = parentPort
if (port === null) throw new Error('hash-worker must be started as a worker thread.')
port.on('message', (task: HashTask) => void resultOf(task).then((result) => port.postMessage(result)))
