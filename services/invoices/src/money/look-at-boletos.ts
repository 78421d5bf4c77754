import type { BankSlip } from '../boletos/bank/bank'
import { recognize, tryToRegister } from '../boletos/registering/registration'
import type { Boleto } from '../boletos/rules/boleto'
import { paidForSlip } from '../boletos/store/boleto-asks'
import { BOLETOS } from '../boletos/store/boleto-store'
import { lookOf } from './look-at-asks'

export const BOLETO_LOOK = lookOf<Boleto, BankSlip>({
  what: 'boletos',
  store: BOLETOS,
  rulesOf: ({ boletos }) => boletos.rules,
  find: ({ boletos }, boleto, deadline) => boletos.bank.find(boleto, deadline),
  withdraw: ({ boletos }, boleto, deadline) => boletos.bank.withdraw(boleto, deadline),
  isKnown: ({ barcode }) => barcode !== null,
  recognize,
  register: tryToRegister,
  paidFor: paidForSlip,
})
