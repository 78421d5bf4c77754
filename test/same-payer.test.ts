import { array, assert, constantFrom, property, record, string, stringMatching } from 'fast-check'
import { readSlip } from '../sandbox/src/bank/slip-request'
import { registrationBody } from '../services/invoices/src/boletos/bank/rest-bank-words'
import type { Payer } from '../services/invoices/src/boletos/rules/boleto'
import { slip } from '../services/invoices/test/support/slips'

const RUNS = 1_000

const registered = (payer: Pick<Payer, 'name' | 'place'>) => {
  const boleto = slip({ payer: { ...payer, document: '12345678909', address: '' } })
  return readSlip(boleto.account, JSON.parse(JSON.stringify(registrationBody(boleto))), 0).payer
}

const word = stringMatching(/^[ABCabcxyzÁÀÂÃÇÉÊÍÓÔÕÚÜáàâãçéêíóôõúü]{1,12}$/u)
const words = array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '))
const rest = { state: constantFrom('SP', 'RJ', 'AC'), zipCode: stringMatching(/^\d{8}$/) }
const places = record({ street: words, neighborhood: words, city: words, ...rest })

/** What is left of Brazilian letters on a keyboard without accents. */
const bare = (text: string, most: number) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').slice(0, most).trim()

test('the bank is told the name and the address of the slip, without the accents that it does not take', () => {
  assert(
    property(words, places, (name, place) => {
      expect(registered({ name, place })).toEqual({
        document: '12345678909',
        name: bare(name, 60),
        address: {
          logradouro: bare(place.street, 60),
          bairro: bare(place.neighborhood, 30),
          cidade: bare(place.city, 30),
          uf: place.state,
          cep: place.zipCode,
        },
      })
    }),
    { numRuns: RUNS },
  )
})

test('the bank takes a payer whose name and address have characters of any script', () => {
  const any = string({ unit: 'grapheme', minLength: 1, maxLength: 255 })
  const anywhere = record({ street: any, neighborhood: any, city: any, ...rest })
  assert(
    property(any, anywhere, (name, place) => {
      expect(registered({ name, place }).name).not.toBe('')
    }),
    { numRuns: RUNS },
  )
})
