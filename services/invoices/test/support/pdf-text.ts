import { inflateSync } from 'node:zlib'

/**
 * The content of a page: its text, a line for each piece, and its rectangles, in points from the top left corner. `dark`: the boxes
 * of a QR code, in its modules.
 */
export type Drawn = {
  text: string
  rectangles: { x: number; width: number; height: number }[]
  dark: { x: number; y: number; width: number }[]
}

/** Reads a PDF of pdfkit: compressed streams, text as hexadecimal Windows-1252. */
export function readPdf(pdf: Buffer): Drawn {
  const contents = [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)]
    .map(([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'))
    .join('\n')
  const pieces = [...contents.matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts = '']) => {
    const hexadecimal = [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, digits]) => digits).join('')
    // Of the characters that Windows-1252 adds to Latin-1, slips use only the dash.
    return Buffer.from(hexadecimal, 'hex').toString('latin1').replaceAll('\u0096', '–')
  })
  const rectangles = [...contents.matchAll(/([-\d.]+) [-\d.]+ ([-\d.]+) ([-\d.]+) re\n/g)].map(
    ([, x, width, height]) => ({ x: Number(x), width: Number(width), height: Number(height) }),
  )
  return { text: pieces.join('\n'), rectangles, dark: darkOf(contents) }
}

/** The boxes of one drawing, by their corners, in its own units. */
function darkOf(contents: string): Drawn['dark'] {
  return [...contents.matchAll(/([\d.]+) ([\d.]+) m\n([\d.]+) \2 l\n\3 ([\d.]+) l\n\1 \4 l\nh/g)].map(
    ([, x, y, right]) => ({ x: Number(x), y: Number(y), width: Number(right) - Number(x) }),
  )
}
