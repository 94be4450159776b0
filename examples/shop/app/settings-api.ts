import { AsRestRoute, currentUserCan, inject, RestResponse, type RestRequest } from 'as-rest-route'
import { ShopSettings } from './shop-settings.js'

export class SettingsApi {
  constructor(private readonly settings = inject(ShopSettings)) {}

  /**
   * Changes settings: `{ "currency": "USD", "is_open": false }`. Without any, the response is the recorded one. It has neither `args`
   * nor `responses`, because the recorded OPTIONS of the route has none.
   */
  @AsRestRoute({ namespace: 'shop/v1', route: '/admin/settings', method: 'POST', permission: 'isAdmin' })
  async change(request: RestRequest) {
    const recorded = { route: 'admin/settings', method: request.method }
    const isChanged = await this.settings.change(request.get_params())
    return new RestResponse(isChanged ? { ...recorded, settings: await this.settings.all() } : recorded)
  }

  isAdmin() {
    return currentUserCan('manage_options')
  }
}
