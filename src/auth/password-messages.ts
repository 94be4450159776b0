import { adminAddress, type SiteAddresses } from '../http/site-addresses.js'
import type { MailMessage } from '../mail/mailer.js'
import type { UserRow } from '../database/storage.js'
import { decodeReferences } from '../sanitizers/character-references.js'

/** The properties of a site that messages contain. */
export interface MailedSite extends SiteAddresses {
  /** As stored, with character references. */
  readonly name: string
}

/** The properties of a user that messages contain. */
export type NamedUser = Pick<UserRow, 'user_login' | 'user_email'>

/** The request for a new password. */
export interface ResetRequest {
  /** The network address of the client. */
  readonly address: string
  /** Whether the request came over TLS. The link then uses TLS too. */
  readonly secure: boolean
}

/** The message with the link for a new password. */
export function resetMessage(
  user: UserRow,
  key: string,
  { address, secure }: ResetRequest,
  site: MailedSite,
): MailMessage {
  const name = nameOf(site)
  const start = adminAddress({ siteurl: site.siteurl, forcesTls: site.forcesTls || secure })
  const link = `${start}/wp-login.php?login=${encodeURIComponent(user.user_login)}&key=${key}&action=rp`
  return {
    to: user.user_email,
    subject: `[${name}] Password Reset`,
    text: [
      'Someone has requested a password reset for the following account:',
      `Site Name: ${name}`,
      `Username: ${user.user_login}`,
      'If this was a mistake, ignore this email and nothing will happen.',
      'To reset your password, visit the following address within an hour:',
      link,
      `This password reset request originated from the IP address ${address}.`,
      '',
    ].join('\n\n'),
  }
}

/** The message that tells a user of a changed password. */
export function changedMessage(user: NamedUser, site: MailedSite): MailMessage {
  const name = nameOf(site)
  return {
    to: user.user_email,
    subject: `[${name}] Password Changed`,
    text: [
      `Hi ${user.user_login},`,
      `This notice confirms that your password was changed on ${name}.`,
      'If you did not change your password, please contact the administrator of the site.',
      `This email has been sent to ${user.user_email}`,
      `Regards,\nAll at ${name}\n${site.home}`,
      '',
    ].join('\n\n'),
  }
}

/** The message to the old address of a user. @param email the new one. */
export function emailChangedMessage(user: NamedUser, email: string, site: MailedSite): MailMessage {
  const name = nameOf(site)
  return {
    to: user.user_email,
    subject: `[${name}] Email Changed`,
    text: [
      `Hi ${user.user_login},`,
      `The email address of your account on ${name} is now ${email}.`,
      'If you did not change it, please contact the administrator of the site.',
      `This email has been sent to ${user.user_email}`,
      `Regards,\nAll at ${name}\n${site.home}`,
      '',
    ].join('\n\n'),
  }
}

function nameOf({ name, home }: MailedSite): string {
  const plain = decodeReferences(name)
    .replace(/[\r\n]+/g, ' ')
    .trim()
  return plain === '' ? new URL(home).host : plain
}
