import { checkPage } from './page-check.js'
import { payloads } from './payloads.js'
import { pageNonceOf } from './sign.js'
import type { Target } from './target.js'

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Forms that a page shows again with what was entered, because it was refused. */
export async function attackForms(target: Target): Promise<void> {
  const { service } = target
  const member = target.member('subscriber-1')
  const hash = /_([\da-f]{32})=/.exec(member.cookie)?.[1] ?? ''
  const cookie = { Cookie: member.adminCookies }
  const now = (await service.call<number>('advance', 0)) / 1000
  const nonce = (action: string) => pageNonceOf(member, action, now)
  const post = async (
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
  ) =>
    target.ask('POST', path, {
      headers: { ...form, ...headers },
      body: new URLSearchParams(fields).toString(),
      from: target.freshAddress(),
    })
  for (const payload of payloads) {
    const text = payload.toWellFormed()
    const encoded = encodeURIComponent(text)
    const forms: readonly (readonly [
      what: string,
      path: string,
      fields: Readonly<Record<string, string>>,
      headers: Readonly<Record<string, string>>,
    ])[] = [
      [
        'the profile',
        '/wp-admin/profile.php',
        {
          action: 'create-application-password',
          _wpnonce: nonce('create-application-password'),
          name: text,
          scopes: text,
          expires: text,
        },
        cookie,
      ],
      ['the profile without a nonce', '/wp-admin/profile.php', { action: text, target: text, _wpnonce: text }, cookie],
      [
        '/wp-admin/authorize-application.php',
        '/wp-admin/authorize-application.php',
        {
          action: 'authorize_application_password',
          _wpnonce: nonce('authorize_application_password'),
          app_name: text,
          app_id: '',
          success_url: `https://app.example/${encoded}`,
          reject_url: `https://app.example/?a=${encoded}`,
          approve: '1',
        },
        cookie,
      ],
      ['a lost password', '/wp-login.php?action=lostpassword', { user_login: '', redirect_to: text }, {}],
      ['a lost password of nobody', '/wp-login.php?action=lostpassword', { user_login: text, redirect_to: text }, {}],
      [
        'a new password',
        '/wp-login.php?action=resetpass',
        { pass1: text, pass2: text, rp_key: text },
        { Cookie: `wp-resetpass-${hash}=${encodeURIComponent(`${text}:${text}`)}` },
      ],
      ['the password of a record', '/wp-login.php?action=postpass', { post_password: text, redirect_to: text }, {}],
    ]
    for (const [what, path, fields, headers] of forms) {
      const response = await post(path, fields, headers)
      // A form that is refused for its nonce shows nothing of what was entered.
      const isRead = response.status !== 403 || what.endsWith('without a nonce')
      target.check(isRead ? null : `${what} with ${payload} is not read.`)
      checkPage(target, response, `${what} with ${payload}`)
    }
  }
  await service.call('revokeAll', member.id)
}
