import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brCode, readBrCode } from '../../src/pix/locations/br-code'
import { checkDigits, readFields } from './br-code-reader'

const DOCUMENT = readFileSync(join(__dirname, 'api-pix-2.9.0.yaml'), 'utf8')
/** The whole texts that the central bank's document gives as examples. */
const EXAMPLES = [...DOCUMENT.matchAll(/pixCopiaECola: (000201.*6304[0-9A-F]{4})\s/g)].map(
  ([, text = '']) => text,
)
const CHARGE = 'pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e7'
const PERMISSION = 'pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d0'

test('the reader of the tests knows the check value of the CRC', () => {
  expect(checkDigits('123456789')).toBe('29B1')
})

test('the bank writes what the document gives as an example, but for the receiver', () => {
  expect(EXAMPLES).toHaveLength(3)
  const ours = [
    { permission: 'pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002' },
    {
      charge: 'pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441',
      permission: 'pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa353194890',
    },
    { charge: CHARGE, permission: PERMISSION },
  ].map((readable) => brCode(readable, 'Fulano de Tal'))
  const received = (text: string) => ({ ...readFields(text), 60: '', 63: '' })
  expect(ours.map(received)).toEqual(EXAMPLES.map(received))
})

test('an independent reader finds the location, the receiver without accents, and a right checksum', () => {
  const text = brCode({ charge: CHARGE }, 'Padaria São João da Conceição Ltda')
  expect(readFields(text)).toEqual({
    '00': '01',
    '01': '12',
    26: { '00': 'br.gov.bcb.pix', 25: CHARGE },
    52: '0000',
    53: '986',
    58: 'BR',
    59: 'Padaria Sao Joao da Conce',
    60: 'SAO PAULO',
    62: { '05': '***' },
    63: checkDigits(text.slice(0, -4)),
  })
})

test('the bank reads its own text back, and no damaged one', () => {
  const text = brCode({ charge: CHARGE, permission: PERMISSION }, 'Padaria Sol')
  expect(readBrCode(`  ${text}\n`)).toEqual({ charge: CHARGE, permission: PERMISSION })
  expect(readBrCode(text.replace('Padaria', 'Paderia'))).toBeUndefined()
  expect(readBrCode('')).toBeUndefined()
})
