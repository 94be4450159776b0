// Declaring
export {
  AsRestRoute,
  route,
  type Declaration,
  type RequestOf,
  type SharedDeclaration,
} from './routing/as-rest-route.js'
export { endpoint, type RestEndpoint } from './routing/rest-endpoint.js'
export { restNamespace, type RestNamespace } from './routing/rest-namespace.js'
export type { CacheDeclaration, Method } from './routing/declaration.js'
export type { IdempotencyKey } from './routing/idempotency-key.js'
export type { RateLimitDeclaration } from './routing/rate-limit.js'
export type { Around, Next } from './routing/around.js'
export { conditional, type Conditional } from './routing/conditional.js'
export type { TargetCheck } from './routing/target-checks.js'
export type { ArgumentRules, ArgumentSchema, SanitizeCallback, ValidateCallback } from './validation/rules.js'
// With a star, so that `declare module 'as-rest-route'` reaches the interface itself.
export type * from './sanitizers/sanitizer-types.js'
export type { ListOf } from './sanitizers/lists.js'

// Handling
export type { AnyParameters, AnyRequest, PresentParameters, RestRequest } from './http/rest-request.js'
export { RestResponse, type ResponseLink } from './http/rest-response.js'
export type { DeferredWork } from './http/request-context.js'
export type { RequestLog } from './http/request-log.js'
export { EventStream, type EventStreamOptions, type ServerSentEvent } from './http/event-stream.js'
export { fileResponse, type FileRequest, type FileResponseOptions } from './http/file-response.js'
export type { UploadedFile, UploadPermission, UploadRead } from './http/uploaded-file.js'
export type { SavedFile, SaveOptions } from './http/save-upload.js'
export type { PagedRequest } from './http/pagination.js'
export { RestError, type ErrorData, type Problem, type RestErrorOptions } from './http/rest-error.js'
export { currentUser, currentUserCan } from './auth/current-user.js'
export type { Caller } from './http/caller.js'

// Depending
export { inject, type Contract } from './container/container.js'
export { RecordStore, type SingleSelection } from './content/record-store.js'
export {
  RecordRejectedError,
  type NewRecord,
  type RecordChange,
  type OrderedBy,
  type RecordField,
  type RecordFields,
  type RecordOrder,
  type RecordQuery,
  type RecordSelection,
  type RecordWith,
  type StoredRecord,
} from './content/record.js'
export type * from './content/register.js'
export type {
  DeclaredTermMeta,
  DeclaredUserMeta,
  MetaKey,
  NewMeta,
  NewOptionValue,
  NewTermMeta,
  NewUserMeta,
  OptionName,
  OptionValue,
  RecordStatus,
  RecordTypeName,
  StoredMeta,
  TaxonomyName,
  TaxonomyOf,
} from './content/registered.js'
export { UndeclaredNameError, type UndeclaredNameCode } from './content/undeclared-name-error.js'
export { ContentRenderer } from './content/content-renderer.js'
export { phpOnlyParts, type PhpOnlyPart, type RenderedFields } from './content/php-only-parts.js'
export type { DateClause, DateColumn, DateCompare, DateQuery, PartialDate } from './content/date-query.js'
export type { MetaClause, MetaCompare, MetaQuery } from './content/meta-query.js'
export type { TaxClause, TaxField, TaxOperator, TaxQuery } from './content/tax-query.js'
export type { MetaCondition, Where } from './content/where.js'
export type { MetaValue } from './content/meta-comparison.js'
export type { OrderColumn } from './database/storage.js'
export { RecordConflictError, type RecordCondition } from './content/record-condition.js'
export { SiteOptions } from './content/site-options.js'
export { Terms, type NewTerm, type Term } from './content/terms.js'
export { Users, type UserQuery } from './content/users.js'
export type { NewUser, User, UserChange } from './content/user.js'
export { UserRejectedError, type UserRejectionCode } from './content/user-rejected-error.js'
export { ApplicationPasswordRejectedError, type ApplicationPasswords } from './auth/application-passwords.js'
export { type ApplicationPassword } from './auth/stored-application-passwords.js'
export {
  job,
  type AnyJob,
  type Enqueued,
  type EnqueueOptions,
  type Job,
  type JobContext,
  type JobDeclaration,
} from './content/job.js'
export { Readiness, type ReadinessCheck } from './app/readiness.js'
export { Mailer, type MailMessage } from './mail/mailer.js'
export { ViewEngineInterface } from './views/view-engine.js'

// Starting
export { boot } from './app/boot.js'
export type { HandlerSource } from './app/plan.js'
export type { HandlerClass, RouteSource } from './routing/handler-class.js'
export type { CloseOptions, ListeningAt, ListenOptions, Service } from './app/service.js'
export type { Sender } from './server/fetch.js'
export type { RouteSummary } from './routing/route-summary.js'
export type { Requirement } from './auth/requirement.js'
export type { Provider } from './app/provider.js'
export {
  defineContent,
  type ContentDeclaration,
  type ContentTypeDeclaration,
  type ValueDeclarationsOfContent,
} from './content/define-content.js'
export { defineConfig, type Configuration } from './app/configuration.js'
export type {
  AfterCommit,
  MetaDeclaration,
  RecordMetaDeclaration,
  RecordTypeDeclaration,
  RecordTypeOptions,
} from './content/record-type.js'
export type { RoleDeclaration } from './auth/declared-roles.js'
export type { BootOptions, Environment, SeedTools } from './app/options.js'
export { StartupError, type Diagnostic } from './app/startup-error.js'
export type { DiagnosticCode } from './base/startup-errors.js'
export type { SourceLocation } from './routing/source-location.js'
export { SeedError } from './app/seed-error.js'
export { HasherBusyError } from './auth/password-hash.js'
export { StorageError, type StorageFault } from './database/storage-error.js'
export type { Log } from './log/log.js'
