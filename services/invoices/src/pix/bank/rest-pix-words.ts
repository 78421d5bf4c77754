import { daysBetween, endOf } from '@cofre/platform/calendar-day'
import { reais } from '@cofre/platform/money'
import { payerOf, pixCents, pixPayer } from '@cofre/platform/outbound/pix-api'
import { z } from 'zod'
import type { BankReturn } from '../../methods/ask'
import type { PixCharge } from '../rules/pix-charge'
import type { PixRefund } from '../rules/pix-refund'
import type { BankCharge, PixReceived } from './pix-bank'

const SECOND_MS = 1_000

/** A fixed amount, an amount for each day, or amounts until days, of API Pix. */
const FIXED = 1

/**
 * The registration of a charge in the words of API Pix 2.9.0, as it is sent at a moment (epoch milliseconds): the bank
 * counts the seconds of one for one day from then. All that is added or taken off are amounts: nothing is rounded.
 */
export function chargeBody(charge: PixCharge, at: number): object {
  const { amount, dueDay, payableUntil, lateFine, interestOfDay, account: chave } = charge
  const devedor = payerOf(charge.payer)
  const original = reais(amount)
  if (dueDay === null) {
    const expiracao = Math.max(1, Math.floor((endOf(payableUntil) - at) / SECOND_MS))
    return { calendario: { expiracao }, devedor, valor: { original }, chave }
  }
  const descontoDataFixa = charge.discounts.map(({ until, amount: off }) => ({
    data: until,
    valorPerc: reais(off),
  }))
  const desconto = descontoDataFixa.length > 0 ? { modalidade: FIXED, descontoDataFixa } : undefined
  const rate = (cents: number) => (cents > 0 ? { modalidade: FIXED, valorPerc: reais(cents) } : undefined)
  return {
    calendario: { dataDeVencimento: dueDay, validadeAposVencimento: daysBetween(dueDay, payableUntil) },
    devedor,
    valor: { original, multa: rate(lateFine), juros: rate(interestOfDay), desconto },
    chave,
  }
}

export function returnBody({ amount }: Pick<PixRefund, 'amount'>): object {
  return { valor: reais(amount) }
}

const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

const RETURN_STATUS = {
  EM_PROCESSAMENTO: 'PENDING',
  DEVOLVIDO: 'SUCCEEDED',
  NAO_REALIZADO: 'FAILED',
} as const

const devolution = z
  .object({
    id: z.string().min(1).max(64),
    valor: pixCents,
    natureza: z
      .string()
      .regex(/^[A-Z_]{1,40}$/)
      .default('ORIGINAL'),
    horario: z.object({ solicitacao: moment, liquidacao: moment.optional() }),
    status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
    motivo: z.string().max(140).default('-'),
  })
  .transform(({ id, valor, natureza, horario, status, motivo }): BankReturn => ({
    number: id,
    nature: natureza,
    amount: valor,
    status: RETURN_STATUS[status],
    at: horario.liquidacao ?? horario.solicitacao,
    refusal: motivo,
  }))

const part = z.object({ valor: pixCents }).transform(({ valor }) => valor)
const parts = z.object({
  original: part,
  multa: part.default(0),
  juros: part.default(0),
  abatimento: part.default(0),
  desconto: part.default(0),
})

/** The amount of the charge, if the bank says how it makes up what was paid. */
function originalOf(amount: number, components: z.output<typeof parts> | undefined): number | null {
  if (!components) return null
  const { original, multa, juros, abatimento, desconto } = components
  return original + multa + juros - abatimento - desconto === amount ? original : null
}

export const pixSchema = z
  .object({
    endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/),
    txid: z
      .string()
      .regex(/^[a-zA-Z0-9]{1,35}$/)
      .optional(),
    valor: pixCents,
    componentesValor: parts.optional().catch(undefined),
    chave: z.string().optional(),
    horario: moment,
    pagador: pixPayer.optional(),
    devolucoes: z.array(devolution).max(1_000).default([]),
  })
  .transform(({ endToEndId, txid = '', valor, chave, pagador, ...pix }): PixReceived => ({
    bankId: endToEndId,
    txid,
    key: chave ?? null,
    amount: valor,
    original: originalOf(valor, pix.componentesValor),
    paidAt: pix.horario,
    payer: pagador?.name || pagador?.document ? pagador : null,
    returns: pix.devolucoes,
  }))

const charge = z
  .object({
    txid: z.string(),
    status: z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']),
    valor: z.object({ original: pixCents }),
    chave: z.string(),
    pixCopiaECola: z.string().min(1).max(512),
    pix: z.array(pixSchema).max(1_000).default([]),
  })
  .transform(({ txid, status, valor, chave, pixCopiaECola, pix: received }): BankCharge => ({
    txid,
    amount: valor.original,
    account: chave,
    copyAndPaste: pixCopiaECola,
    cancelled: status.startsWith('REMOVIDA'),
    isPaid: status === 'CONCLUIDA',
    receipts: received,
    collected: null,
  }))

/** Reads the bank's answer about a charge. Undefined when it is not in the words of API Pix. */
export function chargeOf(body: unknown): BankCharge | undefined {
  return charge.safeParse(body).data
}

/** Reads the bank's answer about money that goes back. Undefined when it is not in the words of API Pix. */
export function returnOf(body: unknown): BankReturn | undefined {
  return devolution.safeParse(body).data
}

const page = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.int().min(0) }) }),
  pix: z.array(pixSchema).max(1_000).default([]),
})

/** Reads a page of what a key received. */
export function pageOf(body: unknown): { received: readonly PixReceived[]; pages: number } | undefined {
  const { data } = page.safeParse(body)
  return data && { received: data.pix, pages: data.parametros.paginacao.quantidadeDePaginas }
}

const hook = z.object({ webhookUrl: z.string() })

export function webhookOf(body: unknown): string | undefined {
  return hook.safeParse(body).data?.webhookUrl
}
