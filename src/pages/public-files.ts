/** A file that every client may download. */
export interface PublicFile {
  /** Media type, with a charset for text types. */
  readonly type: string
  /** In quotes. It changes when the file changes. */
  readonly etag: string
  readonly modified: Date
  read(): Promise<Uint8Array>
}

/** The static files of an application, served below `/`. */
export interface PublicFiles {
  /** @param path percent-encoded, beginning with `/`. @returns null when the file does not exist. */
  find(path: string): Promise<PublicFile | null>
}
