import { loggedDatabaseErrors } from './logged-database-errors.js'
import type { LoggedErrorEntry } from './logged-error-entry.js'

/** The lines at `warn` and `error` in the log of a service, by section of docs/errors.md and by their field `code`. */
export const loggedErrors = {
  'Log lines': {
    'request-failed': {
      level: 'error',
      message: 'a request failed',
      meaning:
        'A request was answered with a status from 500 on. `err` has the error with its stack. Requests that a full queue or another limit has refused with 503 are logged at most once a minute; `unlogged` has the number of the others since the previous line.',
      remedy: 'Correct the code that threw. `requestId` is the `X-Request-Id` of the response.',
    },
    'request-timed-out': {
      level: 'error',
      message: 'a request was answered with 503: it took too long',
      meaning:
        'The `handler` took longer than the `seconds` of its `timeout`, or of the option `request_timeout`. It goes on, and the stop of the service waits for it.',
      remedy: 'Pass `request.signal` to operations that take long, or declare a longer `timeout`.',
    },
    'handler-not-awaited': {
      level: 'error',
      message: 'a handler failed, and the function around it did not wait for it',
      meaning:
        'A function of `around` called `next()` and answered without waiting for it. The handler threw `err`, before or after the response.',
      remedy: 'Write `await next()`. `requestId` is the `X-Request-Id` of the response.',
    },
    'deferred-failed': {
      level: 'error',
      message: 'work after a response failed',
      meaning: 'A function of `request.defer` threw an error. The request was answered before.',
      remedy: 'Read `err`. `requestId` is the `X-Request-Id` of the response.',
    },
    'deferred-cut-off': {
      level: 'warn',
      message: 'work after responses was cut off: it took longer than the grace period',
      meaning: 'The service stopped while `works` functions of `request.defer` were waiting or running.',
      remedy: 'Raise the grace period, or keep work that must not be lost in the database.',
    },
    'after-commit-failed': {
      level: 'error',
      message: 'work after the write of a record failed',
      meaning:
        'A function of `after_commit` threw an error. The write of the record `id` of this `type` is stored. `requestId` is the request that wrote it, if it was one.',
      remedy: 'Read `err`, and correct the function `hook`. For work that must not be lost, use a job.',
    },
    'hooks-cut-off': {
      level: 'warn',
      message: 'work after the writes of records was cut off: it took longer than the grace period',
      meaning:
        'The service stopped while `hooks` functions of `after_commit` were waiting or running. The writes of the records are stored.',
      remedy: 'Raise the grace period. For work that must not be lost, use a job.',
    },
    'job-attempt-failed': {
      level: 'warn',
      message: 'an attempt of a job failed; it is tried again',
      meaning:
        'The function of the `job` threw an error, or took longer than its `timeout`. The next attempt of the job `jobId` is in `retryIn` seconds. `requestId` is the request that enqueued it, if it was one.',
      remedy: 'Read `err`. A temporary cause needs no action.',
    },
    'job-failed': {
      level: 'error',
      message: 'a job failed in its last attempt; it is kept',
      meaning: 'All attempts of the job `jobId` have failed. It is kept, and no process runs it any more.',
      remedy:
        'Read `err`, correct the cause, and run `as-rest-route jobs retry <id>`, or `as-rest-route jobs remove <id>`.',
    },
    'job-unknown': {
      level: 'warn',
      message: 'jobs are waiting that this process cannot run',
      meaning:
        'The database has `waiting` jobs of this name, and the option `jobs` lists none of this name. Another version of the application may have enqueued them. `nearest` is the most similar name that the option lists, if there is one.',
      remedy: 'List the job, keep its old name, or remove the waiting jobs: `as-rest-route jobs list`.',
    },
    'job-lost': {
      level: 'warn',
      message: 'a job was lost to other processes while it ran',
      meaning:
        'The process did not reach the database for 30 seconds, or was blocked. Another one may have taken the job over, so it may be done twice.',
      remedy: 'Do not block the process. In jobs that take long, stop when `signal` aborts.',
    },
    'job-overrun': {
      level: 'warn',
      message: 'a job goes on after its time limit',
      meaning:
        'The `timeout` of the job is over and its signal has aborted, but its function has not ended. Until it ends, the process keeps the job `jobId`, and no other attempt of it begins. While twenty jobs of one name are in this state, the process begins no other job of this name.',
      remedy:
        'In the function, pass `signal` to operations that take long. Where the function never ends, restart the process.',
    },
    'jobs-unreachable': {
      level: 'error',
      message: 'the database of the jobs cannot be reached',
      meaning: 'Jobs were not looked for, or the end of one was not stored. This is tried again in `retryIn` seconds.',
      remedy: 'Read `err`, and make the database available again.',
    },
    'jobs-cut-off': {
      level: 'warn',
      message: 'jobs were given back: they took longer than the grace period',
      meaning: 'The service stopped while `jobs` were running. Other processes, or the next start, run them again.',
      remedy: 'In jobs that take long, stop when `signal` aborts, or raise the grace period.',
    },
    'inner-request-failed': {
      level: 'error',
      message: 'a request within a request failed',
      meaning:
        'An item of a batch or an embedded link failed. The other parts of the response are complete. Inner requests that a full queue or another limit has refused are logged at most once a minute.',
      remedy: 'Correct the code that threw. `route` is the route of the inner request.',
    },
    'page-failed': {
      level: 'error',
      message: 'a page failed',
      meaning: 'A page of the site was answered with 500. `err` has the error with its stack.',
      remedy: 'Correct the view, or what it reads.',
    },
    'response-not-json': {
      level: 'error',
      message: 'a response cannot be written as JSON',
      meaning: 'The body of a handler has a value without a JSON form, at the path `at`. The client got 500.',
      remedy: 'Return a JSON value: no cycle, no infinite number, at most 512 levels.',
    },
    'response-undeclared': {
      level: 'error',
      message: 'a response does not match the declaration of its route',
      meaning:
        'A handler returned a body or status that `responses` of its declaration does not describe. In the environment `production`, the client got only the described parts of the body. In any other environment it gets a 500. The line is logged once for each status of a handler.',
      remedy: 'Correct what the handler returns, or the schema. `fault` names the faulty part of the body.',
    },
    'stream-failed': {
      level: 'error',
      message: 'the body of a response failed while it was sent',
      meaning:
        'The stream or the async iterable of a handler threw an error, yielded a chunk that is neither bytes nor text, or yielded nothing for the time of the option `stream_timeout`. The connection was reset, so that the client does not take the body for complete.',
      remedy: 'Read `err`, and correct the `handler`. An event stream sends comments by itself while it has no events.',
    },
    'permission-result-invalid': {
      level: 'warn',
      message: 'a permission callback must return a boolean; the caller was refused',
      meaning: 'A permission callback returned neither `true`, `false` nor a `RestError`.',
      remedy: 'Return a boolean, such as `return user !== null`.',
    },
    'connection-not-accepted': {
      level: 'error',
      message: 'a connection could not be accepted',
      meaning: 'The operating system refused a new connection. The usual cause is the limit of open files.',
      remedy: 'Raise the limit (`ulimit -n`), or limit the connections in the proxy.',
    },
    'upload-not-written': {
      level: 'error',
      message: 'a temporary file for an upload could not be written or removed',
      meaning:
        'A request with files was answered with 503, or a temporary file is left behind. The usual cause is a full disk.',
      remedy:
        'Free space on the disk of the folder of `uploads`. Without this option, free space in the folder that `TMPDIR` names, or name another folder.',
    },
    'requests-cut-off': {
      level: 'warn',
      message: 'requests were cut off: they took longer than the grace period',
      meaning: 'The service stopped while `requests` requests were still running after `gracePeriod` milliseconds.',
      remedy: 'Raise the grace period, or shorten the work of the handlers.',
    },
    'service-start-slow': {
      level: 'warn',
      message: 'the start waits for a class of the application',
      meaning:
        'The method `start` of a class has taken ten seconds. The service listens when it is done. `service` has the class, after those that inject it.',
      remedy: 'Give `start` a limit of time of its own, and let it throw when what it needs is unreachable.',
    },
    'service-end-failed': {
      level: 'error',
      message: 'an object of the application could not be ended',
      meaning: 'The method `[Symbol.asyncDispose]` of a class failed. The others were ended nevertheless.',
      remedy: 'Read `err`. `service` has the class, after those that inject it.',
    },
    'service-end-slow': {
      level: 'warn',
      message: 'an object of the application has not ended in time',
      meaning: 'The method `[Symbol.asyncDispose]` of a class took longer than the grace period of the stop.',
      remedy: 'Let it end within a few seconds. `service` has the class, after those that inject it.',
    },
    'logins-locked': {
      level: 'warn',
      message: 'too many wrong passwords: further logins are refused for now',
      meaning: 'A [limit](operating.md#limits) of failed logins is reached. Further logins are refused with 429.',
      remedy: 'Wait `wait` seconds. When it is an attack, block the `network` in the proxy.',
    },
    'application-passwords-locked': {
      level: 'warn',
      message: 'too many wrong application passwords: further ones are refused for now',
      meaning:
        'A [limit](operating.md#limits) of failed application passwords is reached. Further ones are refused with 429.',
      remedy: 'Find the client in the `network` that sends a revoked password.',
    },
    'record-passwords-locked': {
      level: 'warn',
      message: 'too many passwords of records: further ones are refused for now',
      meaning:
        'A [limit](operating.md#limits) of entered or of wrong passwords of records is reached. Further ones are refused with 429.',
      remedy: 'Wait `wait` seconds. When it is an attack, block the `network` in the proxy.',
    },
    'resets-locked': {
      level: 'warn',
      message: 'too many requests for a new password: further ones are refused for now',
      meaning:
        'A [limit](operating.md#limits) of requests for a new password is reached. Further ones are refused with 429, or send no message.',
      remedy: 'When it is an attack, block the `network` in the proxy.',
    },
    'attempt-not-counted': {
      level: 'warn',
      message: 'the end of an attempt to log in could not be counted',
      meaning:
        'The counters that several processes share could not be reached. An allowed attempt stays counted as a failed one, even if the password was right. A wrong application password is counted in this process only.',
      remedy: 'Read `err`. No action is needed once the counters can be reached again.',
    },
    'response-not-stored': {
      level: 'warn',
      message: 'the response to a request with an Idempotency-Key could not be stored',
      meaning:
        'The table of stored responses was not reached after the handler had run. The response was sent. A repeat of the request is refused for a minute, and carried out again after it.',
      remedy: 'Read `err`, and see whether the client has repeated the request.',
    },
    'redis-lost': {
      level: 'warn',
      message: 'Redis cannot be used: log-in attempts are counted in the database until it can',
      meaning:
        'The server of `redis_url` cannot be reached, refuses the password, takes longer than a second, or refuses to write because it is full or a replica. Nothing else depends on Redis. The service tries it every second, and logs a line when Redis counts again.',
      remedy: 'Read `err`. Start Redis, raise its `maxmemory`, or correct `redis_url`.',
    },
    'mail-not-sent': {
      level: 'error',
      message: 'a message could not be sent',
      meaning: 'The mailer failed, or too many messages were being sent. The request was answered before.',
      remedy: 'Read `err`. Check `smtp_url`, and that the server accepts the sender of `mail_from`.',
    },
    'last-use-not-stored': {
      level: 'warn',
      message: 'the last use of an application password could not be stored',
      meaning: 'The database refused the write. The request itself was served.',
      remedy: 'Read `err`. A locked database needs no action.',
    },
    ...loggedDatabaseErrors,
    'roles-unreadable': {
      level: 'error',
      message: 'the roles in the database cannot be read',
      meaning: 'The option with the roles is missing or damaged. `detail` names it and the roles in use.',
      remedy: 'Restore the option from a backup.',
    },
    'site-address-invalid': {
      level: 'warn',
      message: 'an address in the options of the site is invalid and is ignored',
      meaning: 'The option `siteurl` or `home` does not begin with `http://` or `https://`.',
      remedy: 'Correct the option, or set `base_url`.',
    },
    'capability-unknown': {
      level: 'warn',
      message: 'an option names a capability that no role grants',
      meaning:
        'No stored or declared role grants the capability that `option` names, so only a user with a grant of its own has it. `option` is `rest_default_capability`, which routes without a permission need, or `uploads.permission`. `nearest` is the most similar name that a role grants, if there is one.',
      remedy: 'Correct the name in the option, or declare a role that grants it.',
    },
    'checked-capability-unknown': {
      level: 'warn',
      message: 'a handler checks a capability that no role grants',
      meaning:
        'In the environment `development`, `currentUserCan` was called for a logged-in user with the name of a capability that neither WordPress nor a record type has and that no stored or declared role grants, so only a user with a grant of its own has it. `nearest` is the most similar name, if there is one, and `place` is where the call stands. A name is reported once.',
      remedy: 'Correct the name in the call, or declare a role that grants it.',
    },
    'site-address-not-https': {
      level: 'warn',
      message: 'the address of the site does not begin with https://, so login cookies lack the attribute Secure',
      meaning:
        'The service is behind a proxy, listens on an address that other machines reach, or the site has a public address, and the address is not one of TLS. Browsers then send the login cookies over plain HTTP too.',
      remedy: 'Set `base_url` to the public `https://` address, and `trusted_proxies` to the address of the proxy.',
    },
    'forwarded-scheme-missing': {
      level: 'warn',
      message: 'a trusted proxy sends no X-Forwarded-Proto, so its requests count as plain HTTP',
      meaning:
        'The proxy at `address`, one of `trusted_proxies`, has forwarded a request over plain HTTP without `X-Forwarded-Proto`. Whether the client used TLS is then unknown, so its application passwords are refused. The line is written once.',
      remedy: 'Let the proxy set `X-Forwarded-Proto` to the scheme that its client has used.',
    },
    'tls-redirect-loop': {
      level: 'error',
      message:
        'the login and administration pages cannot be opened: a browser was redirected to https three times, but its requests reached the service as plain HTTP. Set trusted_proxies to the address of the proxy that ends TLS',
      meaning:
        'The login and administration pages of the site are for TLS only (`FORCE_SSL_ADMIN`, or a `siteurl` with `https`). A proxy ends TLS and sends plain HTTP; its `X-Forwarded-Proto: https` is missing, or replaced by a web server behind it, or the proxy is not trusted. `address` is the sender of the request, and `forwardedProto` what it sent. The line is written once.',
      remedy:
        'List the proxy in `trusted_proxies`, and let it and each web server behind it hand on `X-Forwarded-Proto: https`.',
    },
    'unhandled-rejection': {
      level: 'error',
      message: 'unhandled rejection',
      meaning:
        'A promise was rejected and no code handled it. The service continues, unless `unhandled_rejections` is `exit`.',
      remedy: 'Await the promise, or handle its rejection. `err` has the stack.',
    },
    'uncaught-exception': {
      level: 'error',
      message: 'uncaught exception, the service stops',
      meaning:
        'An error was thrown outside of all requests, such as in a timer. The service stops gracefully with exit code 1.',
      remedy: 'Correct the code that threw. `err` has the stack.',
    },
    'log-lines-dropped': {
      level: 'warn',
      message: 'lines of the log were dropped, because they could not be written',
      meaning:
        '`lines` lines were dropped before this one: the reader of the log was too slow, or the disk was full. The service does not wait for its log.',
      remedy: 'Make room on the disk, or find out why the program that reads the log stops reading.',
    },
    'log-not-written': {
      level: 'warn',
      message: 'the log cannot be written',
      meaning:
        'Writing to standard output failed. The line is on standard error, once. Lines are dropped until writing succeeds again.',
      remedy: 'Read `err`: `ENOSPC` is a full disk, `EPIPE` a reader that has ended.',
    },
    'log-not-opened': {
      level: 'warn',
      message: 'the log could not be opened, lines are written here',
      meaning: 'Loading the log library failed. The lines are written to standard error.',
      remedy: 'Read `err`. One cause is the limit of open files.',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, LoggedErrorEntry>>>>

export type LoggedErrorCode = keyof (typeof loggedErrors)['Log lines']
