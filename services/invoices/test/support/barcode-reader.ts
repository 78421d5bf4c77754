import { readFileSync } from 'node:fs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** Prepares the reader. Call it before the first barcode is read. */
export async function prepareReader(): Promise<void> {
  const wasmBinary = readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm')).buffer
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
}

type DrawnBar = { x: number; width: number }

/** Returns the digits that a reader finds in bars, given in points: an Interleaved 2 of 5. */
export async function readBars(bars: readonly DrawnBar[]): Promise<string | undefined> {
  const [image] = await readBarcodes(photographed(bars), { formats: ['ITF'] })
  return image?.text
}

/** Returns the text that a reader finds in the dark boxes of a QR code, given in modules. */
export async function readDark(
  dark: readonly { x: number; y: number; width: number }[],
): Promise<string | undefined> {
  const scale = 4
  const side = (Math.max(...dark.map(({ x, width }) => x + width)) + 4) * scale
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const { x, y, width } of dark) {
    for (let row = y * scale; row < (y + 1) * scale; row += 1) {
      for (let dot = x * scale; dot < (x + width) * scale; dot += 1) {
        const at = (row * side + dot) * 4
        data.fill(0, at, at + 3)
      }
    }
  }
  const [found] = await readBarcodes(
    { data, width: side, height: side, colorSpace: 'srgb' },
    { formats: ['QRCode'] },
  )
  return found?.text
}

/** Returns the text that a reader finds in a picture of a QR code. */
export async function readPicture(picture: Uint8Array): Promise<string | undefined> {
  const [found] = await readBarcodes(picture, { formats: ['QRCode'] })
  return found?.text
}

type Image = Exclude<Parameters<typeof readBarcodes>[0], Blob | ArrayBuffer | Uint8Array>

/** Dots in a point: a narrow bar is three dots wide. */
const DOTS = 4
const ROWS = 40

/** Draws the bars as a scanner sees them, on white paper. */
function photographed(bars: readonly DrawnBar[]): Image {
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) throw new Error('there are no bars')
  const quiet = 15
  const width = Math.ceil((last.x + last.width - first.x + 2 * quiet) * DOTS)
  const data = new Uint8ClampedArray(width * ROWS * 4).fill(255)
  for (const bar of bars) {
    const from = Math.round((bar.x - first.x + quiet) * DOTS)
    const to = Math.round((bar.x + bar.width - first.x + quiet) * DOTS)
    for (let row = 0; row < ROWS; row += 1) {
      for (let dot = from; dot < to; dot += 1)
        data.fill(0, (row * width + dot) * 4, (row * width + dot) * 4 + 3)
    }
  }
  return { data, width, height: ROWS, colorSpace: 'srgb' }
}
