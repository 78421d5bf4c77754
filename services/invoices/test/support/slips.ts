import { barcodeOf, digitableLineOf } from '../../src/boletos/rules/barcode'
import type { PrintedBoleto } from '../../src/boletos/pdf/printed-boleto'

const MOMENT = Date.parse('2027-03-01T12:00:00-03:00')

/** A slip that the bank has registered: R$ 12.345,67, due on 10 March 2027. */
export function slip(changes: Partial<PrintedBoleto> = {}): PrintedBoleto {
  const given = { dueDay: '2027-03-10', amount: 1_234_567, ourNumber: '12345670000000042', ...changes }
  const barcode = barcodeOf(given)
  return {
    id: 42,
    sellerId: 9,
    invoiceId: 7,
    publicId: 'p',
    status: 'REGISTERED',
    account: '1234567',
    lateOn: '2027-03-11',
    payableUntil: '2027-04-09',
    fine: { amountInCents: null, percentageBps: 200, startsAfterDays: 1 },
    interest: { dailyAmountInCents: null, monthlyPercentageBps: 100, startsAfterDays: 1 },
    discounts: [],
    instructions: ['Referente à mensalidade de março.'],
    payer: {
      name: 'Ana Conceição Łódź',
      document: '12345678909',
      address: 'Rua das Flores, 120',
      place: null,
    },
    beneficiary: {
      name: 'Padaria Sol Ltda',
      document: '12ABC34501DE35',
      agency: '1234-3',
      account: '56789-0',
      address: 'Rua do Exemplo, 100',
    },
    documentNumber: '000042',
    refusal: null,
    dispatchDeadline: MOMENT,
    operationId: null,
    withdrawing: false,
    accountGoneAt: null,
    askAt: null,
    version: 2,
    createdAt: MOMENT,
    updatedAt: MOMENT,
    barcode,
    digitableLine: digitableLineOf(barcode),
    ...given,
  }
}
