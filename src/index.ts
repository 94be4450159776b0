// Declaring
export { AsRestRoute, route, type RequestOf } from './route/as-rest-route.js'
export type { Method } from './route/declaration.js'
export type { ArgumentRules, ArgumentSchema, SanitizeCallback, ValidateCallback } from './arguments/rules.js'
// With a star, so that `declare module 'as-rest-route'` reaches the interface itself.
export type * from './sanitizers/sanitizer-types.js'

// Handling
export type { RestRequest } from './request/rest-request.js'
export { RestResponse } from './response/rest-response.js'
export { RestError, type Problem } from './errors/rest-error.js'
export { currentUser, currentUserCan } from './permission/current-user.js'
export type { Caller } from './permission/caller.js'

// Depending
export { inject } from './container/dependencies.js'
export { RecordStore } from './records/record-store.js'
export {
  RecordRejected,
  type NewRecord,
  type RecordChange,
  type RecordField,
  type RecordQuery,
  type RecordSelection,
  type RecordWith,
  type StoredRecord,
} from './records/record.js'
export { Terms, type NewTerm, type Term } from './records/terms.js'
export { Users, type UserQuery } from './users/users.js'
export type { NewUser, User, UserChange } from './users/user.js'
export { UserRejected } from './users/user-rejected.js'
export { ViewEngineInterface } from './views/view-engine.js'

// Starting
export { boot } from './boot.js'
export type { HandlerSource } from './plan.js'
export type { Service, ListeningAt, ListenOptions } from './running-service.js'
export type { Configuration } from './discovery/configuration.js'
export type { RoleDeclaration } from './permission/declared-roles.js'
export type { BootOptions, Environment, SeedTools } from './service/settings.js'
export { StartRefused, type StartFault } from './discovery/fault.js'
export { SeedFailed } from './service/seed-failed.js'
export { HasherBusy } from './authentication/password-hash.js'
export { StorageError, type StorageFault } from './storage/storage-error.js'
export type { Log } from './service/log.js'
