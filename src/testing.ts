/**
 * For tests of an application: `import { startTestService } from 'as-rest-route/testing'`.
 */
export {
  startTestService,
  type TestJob,
  type TestLogLine,
  type TestService,
  type TestServiceOptions,
} from './app/test-service.js'
export type { DoneJob } from './content/job-runner.js'
export type { TestBody, TestClient, TestRequestOptions, TestResponse } from './app/test-client.js'
export type { TestClock } from './app/test-clock.js'
