import type { BoletoWarning } from '@cofre/proto/invoices/v1/boletos'
import { fitsCashierPart } from '../pdf/slip-part'
import type { Boleto } from './boleto'

/**
 * Warnings about a slip that was made all the same. Brazilian banks register a payer with street, city, UF and CEP (Banco
 * do Brasil, API Cobrança), and the cashier reads one part of the paper alone.
 */
export function slipWarningsOf(boleto: Boleto): BoletoWarning[] {
  const isPlaced = boleto.payer.place !== null
  return [
    ...(isPlaced
      ? []
      : [
          {
            pointer: '#/customer/address',
            code: 'PAYER_ADDRESS_INCOMPLETE',
            detail: 'lacks street, city, state or ZIP code: the bank was told of no address',
          },
        ]),
    ...(fitsCashierPart(boleto)
      ? []
      : [
          {
            pointer: '#/boletoSettings/instructions',
            code: 'INSTRUCTIONS_CUT',
            detail: 'are too long for the part that the cashier reads: the payer’s part has all of them',
          },
        ]),
  ]
}
