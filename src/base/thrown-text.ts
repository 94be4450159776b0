const withoutText = 'What was thrown has no text.'

/**
 * The message of what a program of the application has thrown, which may be any value. Never throws: some values cannot be
 * converted to text, such as `Object.create(null)`, and the properties of others throw.
 */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return withoutText
  }
}

/** As `messageOf`, with the name of an error before its message. */
export function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${String(thrown.name)}: ${String(thrown.message)}` : String(thrown)
  } catch {
    return withoutText
  }
}
