import { deflateSync } from 'node:zlib'
import { printedBars } from './printed-bars'

/** One barcode of 25 bars, drawn and packed as Chromium does. */
function packed(nth: number): Buffer {
  const boxes = Array.from(
    { length: 25 },
    (_box, at) => `${at} 0 m\n${at + 0.5} 0 l\n${at} 1 l\n${at} 2 l\nh\n`,
  )
  return deflateSync(`.24 0 0 -.24 0 ${nth} cm\n1 0 0 2 ${nth} 5 cm\n0 0 0 rg\n/G3 gs\n${boxes.join('')}f\n`)
}

test('a page whose packed bytes end with a carriage return is read like any other', () => {
  const bytes = Array.from({ length: 2_000 }, (_none, nth) => packed(nth)).find(
    (found) => found.at(-1) === 13,
  )
  if (bytes === undefined) throw new Error('none of them ends so')
  const head = `5 0 obj\n<</Filter /FlateDecode\n/Length ${bytes.length}>> stream\n`
  const pdf = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream\nendobj\n')])
  expect(printedBars(pdf).map(({ bars }) => bars.length)).toEqual([25])
})
