import type { ListOf } from './lists.js'

/**
 * The type that each sanitiser returns, by its name in `sanitize_callback`. An application adds its own sanitisers by
 * merging into this interface:
 * `declare module 'as-rest-route' { interface SanitizerTypes { slugify: string } }`.
 */
export interface SanitizerTypes {
  absint: number
  boolval: boolean
  esc_attr: string
  esc_html: string
  esc_url: string
  esc_url_raw: string
  floatval: number
  intval: number
  is_email: string | false
  rest_is_ip_address: string | false
  rest_parse_date: number | false
  rest_parse_hex_color: string | false
  rest_sanitize_boolean: boolean
  sanitize_email: string
  sanitize_file_name: string
  sanitize_hex_color: string | null
  sanitize_html_class: string | ListOf<string>
  sanitize_key: string
  sanitize_mime_type: string | ListOf<string>
  sanitize_text_field: string
  sanitize_textarea_field: string
  sanitize_title: string
  sanitize_url: string
  sanitize_user: string
  strtolower: string
  strval: string
  trim: string
  wp_is_uuid: boolean
  wp_kses_data: string | ListOf<string>
  wp_kses_post: string | ListOf<string>
  wp_parse_id_list: ListOf<number>
  wp_parse_list: ListOf<unknown>
  wp_parse_slug_list: ListOf<string>
  wp_strip_all_tags: string
}
