/** Whether the lines of the log are short and readable on this output. Elsewhere they are JSON. */
export const isReadable = ({ isTTY }: { readonly isTTY?: boolean | undefined }): boolean =>
  isTTY === true && process.env['NODE_ENV'] !== 'production'
