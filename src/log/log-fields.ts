/** The worker of a command that runs several: its number, and the id of its process. */
export interface LogFields {
  readonly worker?: number
  readonly pid?: number
}

let fieldsOfProcess: LogFields = {}

/** Sets fields that every later line of this process has, in the logs of this package. */
export function setLogFields(fields: LogFields): void {
  fieldsOfProcess = fields
}

/** The fields that every line of this process has. */
export function logFields(): LogFields {
  return fieldsOfProcess
}
