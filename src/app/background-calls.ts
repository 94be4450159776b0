import type { HookCalls } from '../content/commit-hooks.js'
import type { RunnerCalls } from '../content/job-runner.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import { requestLog } from '../http/request-log.js'
import type { Application } from './application.js'

/** Runs `after_commit` hooks with the injected services of an application, and logs the errors that they throw. */
export const hookCalls = ({ container }: Application, log: Log): HookCalls => ({
  enter: (work) => container.enter(work),
  onFailure: (err, { kind: hook, ...record }) => logError(log, 'after-commit-failed', { err, hook, ...record }),
  onCutOff: (hooks) => logError(log, 'hooks-cut-off', { hooks }),
})

/** Runs jobs with the injected services of an application, gives each a log of its own, and logs their failures. */
export const runnerCalls = ({ container }: Application, log: Log): RunnerCalls => ({
  enter: (work) => container.enter(work),
  logOf: (job) => requestLog(log, job),
  onFailure(err, job, retryIn) {
    if (retryIn === null) logError(log, 'job-failed', { err, ...job })
    else logError(log, 'job-attempt-failed', { err, ...job, retryIn: Math.round(retryIn) })
  },
  onUnreachable: (err, retryIn) => logError(log, 'jobs-unreachable', { err, retryIn }),
  onUnknown: (job, waiting, nearest) => logError(log, 'job-unknown', { job, waiting, nearest }),
  onLost: (job) => logError(log, 'job-lost', job),
  onOverrun: (job) => logError(log, 'job-overrun', job),
  onCutOff: (jobs) => logError(log, 'jobs-cut-off', { jobs }),
})
