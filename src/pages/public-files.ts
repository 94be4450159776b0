/** A file that anybody may have. */
export interface PublicFile {
  /** Media type, with the charset of a text. */
  readonly type: string
  /** In quotes; changes when the file does. */
  readonly etag: string
  readonly modified: Date
  read(): Promise<Uint8Array>
}

/** The files of an application that are served as they are, below `/`. */
export interface PublicFiles {
  /** @param path as sent, percent-encoded, beginning with `/`. @returns null when there is no such file. */
  find(path: string): Promise<PublicFile | null>
}
