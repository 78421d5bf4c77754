import { z } from 'zod'
import type { Boleto } from '../boleto/boleto'
import { WALLET } from '../boleto/our-number'
import { addDays } from '../invoice/calendar-day'
import type { BankReceipt } from '../receipts/receipt'
import type { BankSlip } from './bank'

const DOCUMENT_NUMBER_MAX = 15
const NAME_MAX = 60

/** The registration of a slip in the bank's words: reais, percent, days YYYY-MM-DD. */
export function registrationBody(boleto: Boleto): object {
  const { dueDay, fine, interest, payer } = boleto
  const reais = (cents: number | null) => (cents === null ? undefined : cents / 100)
  return {
    numeroConvenio: boleto.account,
    numeroCarteira: WALLET,
    nossoNumero: boleto.ourNumber,
    numeroDocumento: boleto.documentNumber.slice(0, DOCUMENT_NUMBER_MAX),
    dataVencimento: dueDay,
    dataLimitePagamento: boleto.payableUntil,
    valorOriginal: boleto.amount / 100,
    multa:
      fine && isAsked(fine.amountInCents, fine.percentageBps)
        ? {
            data: addDays(dueDay, fine.startsAfterDays),
            valor: reais(fine.amountInCents),
            porcentagem: reais(fine.percentageBps),
          }
        : undefined,
    jurosMora:
      interest && isAsked(interest.dailyAmountInCents, interest.monthlyPercentageBps)
        ? {
            data: addDays(dueDay, interest.startsAfterDays),
            valorDia: reais(interest.dailyAmountInCents),
            porcentagemMes: reais(interest.monthlyPercentageBps),
          }
        : undefined,
    pagador: {
      tipoInscricao: payer.document.length === 11 ? 'CPF' : 'CNPJ',
      numeroInscricao: payer.document,
      nome: payer.name.slice(0, NAME_MAX),
    },
  }
}

/** True when a unit is above zero: a fine or interest of zero is not sent. */
function isAsked(...units: (number | null)[]): boolean {
  return units.some((unit) => unit !== null && unit > 0)
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
  try {
    const told: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    const { success, data } = notice.safeParse(told)
    if (success) {
      return { account: data.numeroConvenio, ourNumber: data.nossoNumero, receipt: data.pagamento }
    }
    const other = z.object({ tipo: z.string() }).safeParse(told)
    return other.success && other.data.tipo !== 'BOLETO_LIQUIDADO' ? null : undefined
  } catch {
    return undefined
  }
}

const failure = z.object({ erro: z.string().regex(/^[A-Z_]{1,40}$/) })

/** The bank's code for a refusal; a dash when it gave none. */
export function refusalOf(body: unknown): string {
  const read = failure.safeParse(body)
  return read.success ? read.data.erro : '-'
}
