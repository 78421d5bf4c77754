import { crc32, deflateSync } from 'node:zlib'
import drawCode from 'qrcode-generator'

/** Light modules around the code (ISO/IEC 18004, 9.1). */
const QUIET_ZONE = 4
/** Pixels of a module in a picture of pixels. */
const SCALE = 8

/** A QR code with its quiet zone. `isDark`: by row and column, from 0. */
type QrCode = { size: number; isDark(row: number, column: number): boolean }

function codeOf(text: string): QrCode {
  const code = drawCode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const isInside = (at: number) => at >= 0 && at < count
  return {
    size: count + 2 * QUIET_ZONE,
    isDark: (row, column) => {
      const [y, x] = [row - QUIET_ZONE, column - QUIET_ZONE]
      return isInside(y) && isInside(x) && code.isDark(y, x)
    },
  }
}

/** The outline of a code, for an SVG of `size` by `size`. */
export function qrOutline(text: string): { size: number; path: string } {
  const { size, isDark } = codeOf(text)
  const rows = Array.from({ length: size }, (_, row) => {
    let path = ''
    for (let from = 0; from < size; from += 1) {
      let to = from
      while (isDark(row, to)) to += 1
      if (to > from) path += `M${from} ${row}h${to - from}v1h-${to - from}z`
      from = to
    }
    return path
  })
  return { size, path: rows.join('') }
}

export function qrSvg(text: string): Buffer {
  const { size, path } = qrOutline(text)
  const box = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"`
  return Buffer.from(`<svg ${box}><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`)
}

/** A PNG of one bit a pixel (ISO/IEC 15948). */
export function qrPng(text: string): Buffer {
  const { size, isDark } = codeOf(text)
  const width = size * SCALE
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  header[8] = 1
  // A module is eight pixels, so one byte of a line. Each line begins with its filter: none.
  const lines = Array.from({ length: size }, (_, row) => {
    const line = Buffer.from([0, ...Array.from({ length: size }, (_each, x) => (isDark(row, x) ? 0 : 255))])
    return Array.from({ length: SCALE }, () => line)
  })
  const pixels = deflateSync(Buffer.concat(lines.flat()))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
