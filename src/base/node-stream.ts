interface NodeStream {
  destroy(): unknown
  on?(event: 'error', listener: () => void): unknown
}

export function isNodeStream(value: object): value is NodeStream {
  return 'destroy' in value && typeof value.destroy === 'function' && 'pipe' in value
}

const observed = new WeakSet<NodeStream>()

/**
 * Keeps the `error` event of a stream of Node from ending the process. A stream may fail before it is read, and also after it
 * was destroyed, because its file was still being opened. A reader gets the error all the same.
 */
export function observeErrors(stream: NodeStream): void {
  if (observed.has(stream)) return
  observed.add(stream)
  stream.on?.('error', () => undefined)
}
