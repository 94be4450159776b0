/** The sanitisers that are measured with texts of up to a megabyte. */
export const attackedSanitizers = [
  'sanitize_text_field',
  'sanitize_textarea_field',
  'sanitize_title',
  'sanitize_user',
  'sanitize_email',
  'sanitize_url',
  'sanitize_file_name',
  'sanitize_html_class',
  'sanitize_key',
  'wp_kses_post',
  'wp_kses_data',
  'wp_strip_all_tags',
  'esc_html',
  'esc_url',
  'wp_parse_id_list',
  'wp_parse_slug_list',
] as const
