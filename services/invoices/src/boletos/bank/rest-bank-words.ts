import { readJson } from '@cofre/platform/outbound/partner-answers'
import { z } from 'zod'
import { inAscii } from '@cofre/platform/partner-text'
import type { Boleto, PayerPlace } from '../rules/boleto'
import { bankDocumentNumberOf, WALLET } from '../rules/our-number'
import { addDays } from '@cofre/platform/calendar-day'
import { fineOf, interestOfDay } from '../../invoice/rules/late-charges'
import type { BankReceipt } from '../../methods/ask'
import type { DatedDiscount } from '../../methods/rules/registered-ask'
import type { BankSlip } from './bank'

/** The most characters that the bank takes. */
const NAME_MAX = 60
const STREET_MAX = 60
const NEIGHBORHOOD_MAX = 30
const CITY_MAX = 30
/** For a payer whose name has no letter that the bank takes, such as an emoji. */
const NAMELESS = 'PAGADOR'

/**
 * The registration of a slip in the bank's words: reais, days YYYY-MM-DD. Shares are sent as the amounts that the slip
 * prints: each bank would round a percentage in its own way.
 */
export function registrationBody(boleto: Boleto): object {
  const { amount, dueDay, fine, interest, discounts, payer } = boleto
  const fineAmount = fine ? fineOf(amount, fine, fine.startsAfterDays) : 0
  const ofDay = interest ? interestOfDay(amount, interest) : 0
  return {
    numeroConvenio: boleto.account,
    numeroCarteira: WALLET,
    nossoNumero: boleto.ourNumber,
    numeroDocumento: bankDocumentNumberOf(boleto),
    dataVencimento: dueDay,
    dataLimitePagamento: boleto.payableUntil,
    valorOriginal: amount / 100,
    descontos: discounts.length > 0 ? discounts.map(discountBody) : undefined,
    multa:
      fine && fineAmount > 0
        ? { data: addDays(dueDay, fine.startsAfterDays), valor: fineAmount / 100 }
        : undefined,
    jurosMora:
      interest && ofDay > 0
        ? { data: addDays(dueDay, interest.startsAfterDays), valorDia: ofDay / 100 }
        : undefined,
    pagador: {
      tipoInscricao: payer.document.length === 11 ? 'CPF' : 'CNPJ',
      numeroInscricao: payer.document,
      nome: inAscii(payer.name, NAME_MAX) || NAMELESS,
      endereco: payer.place ? placeBody(payer.place) : undefined,
    },
  }
}

/** Undefined where street or city has no letter that the bank takes. */
function placeBody({ street, neighborhood, city, state, zipCode }: PayerPlace): object | undefined {
  const [logradouro, cidade] = [inAscii(street, STREET_MAX), inAscii(city, CITY_MAX)]
  if (logradouro === '' || cidade === '') return undefined
  return { logradouro, bairro: inAscii(neighborhood, NEIGHBORHOOD_MAX), cidade, uf: state, cep: zipCode }
}

function discountBody({ until, amount }: DatedDiscount): object {
  return { data: until, valor: amount / 100 }
}

const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const cents = z
  .number()
  .positive()
  .max(999_999_999.99)
  .transform((reais) => Math.round(reais * 100))
const bankText = z.string().min(1).max(200)

const receipt = z
  .object({ id: z.string().regex(/^[\w.-]{1,100}$/), valorPago: cents, dataHora: moment })
  .transform(({ id, valorPago, dataHora }): BankReceipt => ({
    bankId: id,
    amount: valorPago,
    paidAt: dataHora,
  }))

const slip = z.object({
  situacao: z.enum(['REGISTRADO', 'LIQUIDADO', 'BAIXADO', 'VENCIDO']),
  codigoBarras: z.string().regex(/^\d{44}$/),
  linhaDigitavel: z.string().regex(/^\d{47}$/),
  valorOriginal: cents,
  numeroDocumento: z.string().max(100),
  pagador: z.object({ numeroInscricao: z.string().max(20) }),
  beneficiario: z.object({
    nome: bankText,
    cpfCnpj: z.string().regex(/^\d{11}$|^[0-9A-Z]{12}\d{2}$/),
    agencia: bankText,
    conta: bankText,
    endereco: bankText,
  }),
  pagamentos: z.array(receipt).max(1_000),
})

/** Reads the bank's answer about a slip. Undefined when it is not in the bank's format. */
export function slipOf(body: unknown): BankSlip | undefined {
  const { success, data } = slip.safeParse(body)
  if (!success) return undefined
  const {
    nome: name,
    cpfCnpj: document,
    agencia: agency,
    conta: account,
    endereco: address,
  } = data.beneficiario
  return {
    barcode: data.codigoBarras,
    digitableLine: data.linhaDigitavel,
    amount: data.valorOriginal,
    documentNumber: data.numeroDocumento,
    payerDocument: data.pagador.numeroInscricao,
    beneficiary: { name, document, agency, account, address },
    cancelled: data.situacao === 'BAIXADO',
    isPaid: data.situacao === 'LIQUIDADO',
    receipts: data.pagamentos,
  }
}

const notice = z.object({
  id: bankText,
  tipo: z.literal('BOLETO_LIQUIDADO'),
  numeroConvenio: z.string().regex(/^\d{7}$/),
  nossoNumero: z.string().regex(/^\d{17}$/),
  pagamento: receipt,
})

/** A notice that money came in for a slip. */
export type BankNotice = { account: string; ourNumber: string; receipt: BankReceipt }

/**
 * Reads a notice of the bank. Undefined when its format is unknown; null when it is about something else than money.
 */
export function noticeOf(body: Uint8Array): BankNotice | null | undefined {
  const paid = readJson(notice, body)
  if (paid) return { account: paid.numeroConvenio, ourNumber: paid.nossoNumero, receipt: paid.pagamento }
  const other = readJson(z.object({ tipo: z.string() }), body)
  return other && other.tipo !== 'BOLETO_LIQUIDADO' ? null : undefined
}

const failure = z.object({ erro: z.string().regex(/^[A-Z_]{1,40}$/) })

/** The bank's code for a refusal; a dash when it gave none. */
export function refusalOf(body: unknown): string {
  const read = failure.safeParse(body)
  return read.success ? read.data.erro : '-'
}
