// Declaring
export { AsRestRoute, route, type Declaration, type RequestOf, type SharedDeclaration } from './route/as-rest-route.js'
export type { CacheDeclaration, Method } from './route/declaration.js'
export type { TargetCheck } from './route/target-checks.js'
export type { ArgumentRules, ArgumentSchema, SanitizeCallback, ValidateCallback } from './arguments/rules.js'
// With a star, so that `declare module 'as-rest-route'` reaches the interface itself.
export type * from './sanitizers/sanitizer-types.js'
export type { ListOf } from './sanitizers/lists.js'

// Handling
export type { AnyParameters, PresentParameters, RestRequest } from './request/rest-request.js'
export { RestResponse, type ResponseLink } from './response/rest-response.js'
export type { PagedRequest } from './response/pagination.js'
export { RestError, type ErrorData, type Problem } from './errors/rest-error.js'
export { currentUser, currentUserCan } from './permission/current-user.js'
export type { Caller } from './permission/caller.js'

// Depending
export { inject, type Contract } from './container/dependencies.js'
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
export type { OrderColumn } from './storage/storage.js'
export { Terms, type NewTerm, type Term } from './records/terms.js'
export { Users, type UserQuery } from './users/users.js'
export type { NewUser, User, UserChange } from './users/user.js'
export { UserRejected, type UserFault } from './users/user-rejected.js'
export {
  ApplicationPasswordRejected,
  type ApplicationPassword,
  type ApplicationPasswords,
} from './authentication/application-passwords.js'
export { ViewEngineInterface } from './views/view-engine.js'

// Starting
export { boot } from './boot.js'
export type { HandlerSource } from './plan.js'
export type { CloseOptions, ListeningAt, ListenOptions, Service } from './running-service.js'
export type { Sender } from './adapters/fetch/fetch.js'
export type { RouteSummary } from './service/route-summary.js'
export type { Requirement } from './permission/requirement.js'
export type { Provision } from './service/provision.js'
export type { Configuration } from './discovery/configuration.js'
export type { MetaDeclaration, RecordTypeDeclaration } from './records/record-type.js'
export type { RoleDeclaration } from './permission/declared-roles.js'
export type { BootOptions, Environment, SeedTools } from './service/settings.js'
export { StartRefused, type StartFault } from './discovery/fault.js'
export type { Place } from './discovery/place.js'
export { SeedFailed } from './service/seed-failed.js'
export { HasherBusy } from './authentication/password-hash.js'
export { StorageError, type StorageFault } from './storage/storage-error.js'
export type { Log } from './service/log.js'
