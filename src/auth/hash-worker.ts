/**
 * The script of a worker thread that computes one slow hash at a time. Each thread loads this file separately, so it
 * imports only what hashing needs.
 */
import { parentPort } from 'node:worker_threads'
import { resultOf, type HashTask } from './hash-task.js'

const port = parentPort
if (port === null) throw new Error('hash-worker must be started as a worker thread.')
port.on('message', (task: HashTask) => void resultOf(task).then((result) => port.postMessage(result)))
