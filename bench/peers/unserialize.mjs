/** Reads what PHP's `serialize` wrote, of the kinds that WordPress keeps about users. Lengths count bytes. */
export function unserialize(text) {
  const bytes = Buffer.from(text)
  let at = 0
  const upTo = (mark) => {
    const end = bytes.indexOf(mark, at)
    const part = bytes.toString('latin1', at, end)
    at = end + 1
    return part
  }
  const value = () => {
    const kind = upTo(kindEnds(bytes[at]))
    if (kind === 'N') return null
    if (kind === 's') {
      const length = Number(upTo(':'))
      const string = bytes.toString('utf8', at + 1, at + 1 + length)
      at += length + 3
      return string
    }
    if (kind === 'i' || kind === 'd') return Number(upTo(';'))
    if (kind === 'b') return upTo(';') === '1'
    if (kind !== 'a') throw new Error(`Unknown kind ${kind}`)
    const size = Number(upTo(':'))
    at += 1
    const map = new Map()
    for (let index = 0; index < size; index += 1) map.set(value(), value())
    at += 1
    return map
  }
  return value()
}

function kindEnds(byte) {
  return byte === 0x4e ? ';' : ':'
}
