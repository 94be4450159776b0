import { createHash } from 'node:crypto'
import { requesterOf } from '../auth/network.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { StoredResponses, RunningRequest, UsedKey } from '../cache/stored-responses.js'
import { errorResponse, statusOf } from '../http/error-response.js'
import { isMultipartForm } from '../http/form-body.js'
import { formDigest } from '../http/form-reader.js'
import { restErrorOf } from '../http/rejected-error.js'
import { RestError } from '../http/rest-error.js'
import type { HttpRequest } from '../http/http-request.js'
import type { RestResponse } from '../http/rest-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import { cancelBody, ignoreFailuresIn } from './raw-response.js'
import { responseOf, textOf } from './stored-response.js'

/** Maximum length of a key, in characters. */
const maxKey = 255

/**
 * Carries out a request with the header `Idempotency-Key` once: a repeat gets the response to the first request. The step follows
 * authorize and precedes around. Failures of the service (5xx) are not stored, so that a repeat may succeed.
 */
export class Idempotency {
  readonly #responses: StoredResponses

  constructor(responses: StoredResponses) {
    this.#responses = responses
  }

  /**
   * @param handle the steps around, handle and responses.
   * @throws RestError for a key that is missing, malformed, in use or that of another request.
   * @throws whatever `handle` throws. @throws StorageError
   */
  async run(request: HttpRequest, endpoint: Endpoint, handle: () => MaybePromise<RestResponse>): Promise<RestResponse> {
    const key = keyOf(request, endpoint)
    if (key === null) return handle()
    const claim = await this.#responses.claim(nameOf(key, request, endpoint), fingerprintOf(request))
    return claim.kind === 'first' ? this.#first(claim.running, handle) : repeated(claim)
  }

  /**
   * The check of {@link run} without the request: nothing is stored.
   * @returns the response of the first request with the key; null when `run` would call `handle`.
   * @throws RestError as {@link run}. @throws StorageError
   */
  async find(request: HttpRequest, endpoint: Endpoint): Promise<RestResponse | null> {
    const key = keyOf(request, endpoint)
    if (key === null) return null
    const used = await this.#responses.find(nameOf(key, request, endpoint), fingerprintOf(request))
    return used && repeated(used)
  }

  async #first(running: RunningRequest, handle: () => MaybePromise<RestResponse>): Promise<RestResponse> {
    let response: RestResponse
    try {
      response = await handle()
    } catch (error) {
      const refusal = restErrorOf(error)
      if (refusal !== null && (statusOf(refusal) ?? 500) < 500) await running.store(textOf(errorResponse(refusal)))
      else await running.release()
      throw error
    }
    ignoreFailuresIn(response)
    if (response.status >= 500) {
      await running.release()
      return response
    }
    try {
      await running.store(textOf(response))
    } catch (error) {
      cancelBody(response)
      throw error
    }
    return response
  }
}

/** The response to a repeat. @throws RestError */
function repeated(used: UsedKey): RestResponse {
  switch (used.kind) {
    case 'running':
      throw keyInUse()
    case 'other':
      throw keyReused()
    case 'completed':
      if (used.response === null) throw responseNotStored()
      return responseOf(used.response).header('Idempotent-Replayed', 'true')
  }
}

/** The key of a request; null without one. The quotes of a structured field are not part of it. @throws RestError */
function keyOf(request: HttpRequest, { idempotencyKey }: Endpoint): string | null {
  const header = request.get_header('Idempotency-Key')
  if (header === null) {
    if (idempotencyKey === 'required') throw keyRequired()
    return null
  }
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (key.length < 1 || key.length > maxKey || !/^[!#-~]+$/.test(key)) throw keyInvalid()
  return key
}

/** A key belongs to its user, or else its network, and to its route, so that no caller gets the response of another one. */
function nameOf(key: string, { user, address }: HttpRequest, { namespace, route, methods }: Endpoint): string {
  return hashOf([key, requesterOf(user.id, address), `${methods.join()} ${namespace ?? ''}${route}`])
}

function fingerprintOf({ route, incoming, parsed, isInner }: HttpRequest): string {
  const type = incoming.headers['content-type'] ?? ''
  // An item of a batch has no body of its own.
  if (isInner) return hashOf([route, incoming.query, type, JSON.stringify([parsed.query, parsed.form])])
  // A streamed form was hashed while it arrived. One that is held in memory is hashed here.
  const ofForm = incoming.form?.digest ?? null
  const isForm = ofForm !== null || isMultipartForm(incoming.method, type)
  // A client that encodes a form again chooses another boundary.
  if (isForm) return hashOf([route, incoming.query, 'form', ofForm ?? formDigest(incoming.body, type)])
  return hashOf([route, incoming.query, type, incoming.body])
}

/** SHA-256 in base64url: 43 characters. The length before each part tells where the part ends. */
function hashOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest('base64url')
}

const keyRequired = (): RestError =>
  new RestError('rest_idempotency_key_required', 'This request needs the header Idempotency-Key.', { status: 400 })

const keyInvalid = (): RestError =>
  new RestError('rest_idempotency_key_invalid', `Idempotency-Key is not 1 to ${maxKey} visible characters of ASCII.`, {
    status: 400,
  })

const keyInUse = (): RestError =>
  new RestError(
    'rest_idempotency_key_in_use',
    'The first request with this Idempotency-Key is still being carried out.',
    {
      status: 409,
      headers: { 'Retry-After': '1' },
    },
  )

const keyReused = (): RestError =>
  new RestError('rest_idempotency_key_reused', 'This Idempotency-Key belongs to another request.', { status: 422 })

const responseNotStored = (): RestError =>
  new RestError(
    'rest_idempotency_response_not_stored',
    'The request was carried out already. Its response was too large or not JSON, and was not stored.',
    { status: 409 },
  )
