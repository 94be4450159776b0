import { inject } from '../container/container.js'
import { AsRestRoute } from '../routing/as-rest-route.js'
import { RestResponse } from '../http/rest-response.js'
import { contextArgument, type Context, type ContextRequest } from './context-argument.js'
import { notLoggedIn } from './refusals.js'
import { UserProfiles, type UserProfile } from './user-profiles.js'

/** The endpoint of the current user. Clients test their credentials with it. */
export class UsersApi {
  constructor(private readonly profiles = inject(UserProfiles)) {}

  /** Public, with a 401 for anonymous callers in the handler: as in WordPress, `Allow` in the 401 has GET. */
  @AsRestRoute({
    namespace: 'wp/v2',
    route: '/users/me',
    permission: 'public',
    args: { context: contextArgument },
  })
  async me(request: ContextRequest) {
    const profile = request.user.id === 0 ? null : await this.profiles.find(request.user.id)
    if (!profile) throw notLoggedIn()
    return new RestResponse(fieldsOf(profile, request.get_param('context')))
      .addLink('self', `${request.root}wp/v2/users/${profile.id}`)
      .addLink('collection', `${request.root}wp/v2/users`)
  }
}

/**
 * The fields of a user in WordPress's order. `avatar_urls` and `meta` are empty: the service has no avatars, and no
 * public metadata.
 */
function fieldsOf(profile: UserProfile, context: Context): object {
  const { id, name, url, description, link, slug, ...editFields } = profile
  const avatar_urls = {}
  if (context === 'embed') return { id, name, url, description, link, slug, avatar_urls }
  if (context === 'view') return { id, name, url, description, link, slug, avatar_urls, meta: [] }
  const { username, first_name, last_name, email, locale, nickname, ...accountFields } = editFields
  const profileFields = {
    id,
    username,
    name,
    first_name,
    last_name,
    email,
    url,
    description,
    link,
    locale,
    nickname,
    slug,
  }
  return { ...profileFields, ...accountFields, avatar_urls, meta: [] }
}
