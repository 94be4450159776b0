import { RestResponse } from './rest-response.js'

/** The service sends these headers itself, for the origin of the request. */
const corsHeaders = /^access-control-allow-(?:origin|methods|credentials)$/

/**
 * A `Response` of the Fetch standard as the response of a handler. Its body is read while it is sent.
 * @throws TypeError when its body was read before. @throws RangeError when its status is not a final status of HTTP.
 */
export function fromWebResponse(response: Response): RestResponse {
  const { body, status, headers } = response
  if (response.bodyUsed || body?.locked === true)
    throw new TypeError('the body of the Response was read before. Return the Response unread, or a clone of it.')
  const restResponse = new RestResponse<unknown>(body, status)
  // The body that `fetch` gives is decoded; this header tells how it was encoded on its way.
  const isFetched = response.url !== ''
  for (const [name, value] of headers)
    if (name !== 'set-cookie' && !corsHeaders.test(name) && !(isFetched && name === 'content-encoding'))
      restResponse.header(name, value)
  for (const cookie of headers.getSetCookie()) restResponse.header('Set-Cookie', cookie, false)
  return restResponse
}
