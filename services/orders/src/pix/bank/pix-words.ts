import { reais } from '@cofre/platform/money'
import { payerOf, pixCents, pixPayer } from '@cofre/platform/outbound/pix-api'
import { z } from 'zod'
import type { AskedPix, BankCharge, Devolution, ReceivedPix } from './pix-bank'

/** The registration of an immediate charge in the words of API Pix 2.9.0. */
export function chargeBody({ amount, expiresInSeconds, payer }: AskedPix, account: string): object {
  return {
    calendario: { expiracao: expiresInSeconds },
    devedor: payerOf(payer),
    valor: { original: reais(amount) },
    chave: account,
  }
}

const STATES = { EM_PROCESSAMENTO: 'running', DEVOLVIDO: 'done', NAO_REALIZADO: 'failed' } as const

const devolution = z
  .object({
    id: z.string().regex(/^[a-zA-Z0-9]{1,35}$/),
    valor: pixCents,
    status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
  })
  .transform(({ id, valor, status }): Devolution => ({ id, amount: valor, state: STATES[status] }))

const received = z
  .object({
    endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/),
    valor: pixCents,
    pagador: pixPayer.optional(),
    devolucoes: z.array(devolution).max(1_000).default([]),
  })
  .transform(({ endToEndId, valor, pagador, devolucoes }): ReceivedPix => ({
    endToEndId,
    amount: valor,
    payerName: pagador?.name || null,
    payerDocument: pagador?.document || null,
    devolutions: devolucoes,
  }))

const charge = z
  .object({
    txid: z.string(),
    status: z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']),
    valor: z.object({ original: pixCents }),
    chave: z.string(),
    pixCopiaECola: z.string().min(1).max(512),
    pix: z.array(received).max(1_000).default([]),
  })
  .transform(({ txid, status, valor, chave, pixCopiaECola, pix }): BankCharge => ({
    txid,
    amount: valor.original,
    account: chave,
    copyAndPaste: pixCopiaECola,
    state: status === 'ATIVA' ? 'open' : status === 'CONCLUIDA' ? 'paid' : 'removed',
    received: pix,
  }))

/** Reads the bank's answer about a charge. Undefined when it is not in the words of API Pix. */
export function chargeOf(body: unknown): BankCharge | undefined {
  return charge.safeParse(body).data
}

/** Reads the bank's answer about a return. */
export function devolutionOf(body: unknown): Devolution | undefined {
  return devolution.safeParse(body).data
}
