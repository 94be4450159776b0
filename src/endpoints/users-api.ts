import { inject } from '../container/container.js'
import { AsRestRoute } from '../routing/as-rest-route.js'
import { RestResponse } from '../http/rest-response.js'
import { contextArgument, type Context, type InContext } from './context-argument.js'
import { notLoggedIn } from './refusals.js'
import { UserProfiles, type UserProfile } from './user-profiles.js'

/** Who am I: what clients test their credentials with. */
export class UsersApi {
  constructor(private readonly profiles = inject(UserProfiles)) {}

  /** Open to everybody, and answers visitors with a 401 of its own: as in WordPress, `Allow` names GET in it. */
  @AsRestRoute({
    namespace: 'wp/v2',
    route: '/users/me',
    permission: 'public',
    args: { context: contextArgument },
  })
  async me(request: InContext) {
    const profile = request.user.id === 0 ? null : await this.profiles.find(request.user.id)
    if (!profile) throw notLoggedIn()
    return new RestResponse(shown(profile, request.get_param('context')))
      .addLink('self', `${request.root}wp/v2/users/${profile.id}`)
      .addLink('collection', `${request.root}wp/v2/users`)
  }
}

/** In WordPress's order. There are no pictures of users here, and no metadata that everybody may see. */
function shown(profile: UserProfile, context: Context): object {
  const { id, name, url, description, link, slug, ...forEditing } = profile
  const avatar_urls = {}
  if (context === 'embed') return { id, name, url, description, link, slug, avatar_urls }
  if (context === 'view') return { id, name, url, description, link, slug, avatar_urls, meta: [] }
  const { username, first_name, last_name, email, locale, nickname, ...standing } = forEditing
  const names = { id, username, name, first_name, last_name, email, url, description, link, locale, nickname, slug }
  return { ...names, ...standing, avatar_urls, meta: [] }
}
