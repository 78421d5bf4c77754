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
