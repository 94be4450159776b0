import type { PostRow, UserRow } from '../../../src/database/storage.js'

const day = '2026-03-01 10:00:00'

/** A published product, but for what is columns. */
export function aPost(columns: Partial<PostRow> = {}): Omit<PostRow, 'ID'> & { readonly ID?: number } {
  return {
    post_author: 1,
    post_date: day,
    post_date_gmt: day,
    post_content: '',
    post_title: '',
    post_excerpt: '',
    post_status: 'publish',
    comment_status: 'closed',
    ping_status: 'closed',
    post_password: '',
    post_name: '',
    to_ping: '',
    pinged: '',
    post_modified: day,
    post_modified_gmt: day,
    post_content_filtered: '',
    post_parent: 0,
    guid: '',
    menu_order: 0,
    post_type: 'product',
    post_mime_type: '',
    comment_count: 0,
    ...columns,
  }
}

export function aUser(columns: Partial<UserRow> = {}): Omit<UserRow, 'ID'> & { readonly ID?: number } {
  return {
    user_login: 'ada',
    user_pass: '$wp$2y$10$hash',
    user_nicename: 'ada',
    user_email: 'ada@example.org',
    user_url: '',
    user_registered: day,
    user_activation_key: '',
    user_status: 0,
    display_name: 'Ada',
    ...columns,
  }
}
