import { reais } from '@cofre/platform/money'
import { payerOf, pixCents } from '@cofre/platform/outbound/pix-api'
import { isDay } from '@cofre/platform/calendar-day'
import { z } from 'zod'
import type { PixReceiver } from '../../catalog/settings/billing-settings-store'
import { pixSchema } from '../bank/rest-pix-words'
import type { BankCharge } from '../bank/pix-bank'
import type { PixCharge } from '../rules/pix-charge'
import type { Collected, CollectionTry } from '../rules/collection'
import { PERIODS, type BankPermission, type PixPermission } from '../rules/permission'

/** The words of API Pix 2.9.0 for Pix Automático. */

const ACCOUNT_TYPES = { CHECKING: 'CORRENTE', SAVINGS: 'POUPANCA', PAYMENT: 'PAGAMENTO' } as const

export const CANCELLED = { status: 'CANCELADA' }

export function permissionBody(permission: PixPermission, locationId: number): object {
  const { recurringInvoiceId, payer, purpose, firstDay, frequency, amount } = permission
  return {
    vinculo: { contrato: String(recurringInvoiceId), devedor: payerOf(payer), objeto: purpose },
    calendario: { dataInicial: firstDay, periodicidade: PERIODS[frequency] },
    ...(amount !== null && { valor: { valorRec: reais(amount) } }),
    politicaRetentativa: 'PERMITE_3R_7D',
    loc: locationId,
  }
}

export function collectionBody(charge: PixCharge, recId: string, receiver: PixReceiver): object {
  const { branch, account, type } = receiver
  return {
    idRec: recId,
    calendario: { dataDeVencimento: charge.dueDay },
    valor: { original: reais(charge.amount) },
    ajusteDiaUtil: true,
    recebedor: { ...(branch && { agencia: branch }), conta: account, tipoConta: ACCOUNT_TYPES[type] },
  }
}

const code = z.string().regex(/^[A-Z0-9]{1,10}$/)
const recId = z.string().regex(/^[a-zA-Z0-9]{29}$/)
const ending = z
  .object({
    rejeicao: z.object({ codigo: code }).optional(),
    cancelamento: z.object({ solicitante: z.string().regex(/^[A-Z_]{1,40}$/), codigo: code }).optional(),
  })
  .default({})

const REC_STATUS = {
  CRIADA: 'CREATED',
  APROVADA: 'APPROVED',
  REJEITADA: 'REJECTED',
  EXPIRADA: 'EXPIRED',
  CANCELADA: 'CANCELLED',
} as const

const permission = z
  .object({
    idRec: recId,
    status: z.enum(['CRIADA', 'APROVADA', 'REJEITADA', 'EXPIRADA', 'CANCELADA']),
    encerramento: ending,
    dadosQR: z.object({ pixCopiaECola: z.string().min(1).max(512) }).optional(),
  })
  .transform(({ idRec, status, encerramento, dadosQR }): BankPermission & { recId: string } => ({
    recId: idRec,
    status: REC_STATUS[status],
    copyAndPaste: dadosQR?.pixCopiaECola ?? null,
    code: encerramento.rejeicao?.codigo ?? encerramento.cancelamento?.codigo ?? null,
    endedBy: encerramento.cancelamento?.solicitante ?? null,
  }))

/** Reads the bank's answer about a permission. Undefined when it is not in the words of API Pix. */
export function permissionOf(body: unknown): (BankPermission & { recId: string }) | undefined {
  return permission.safeParse(body).data
}

const location = z.object({ id: z.int(), idRec: recId.optional() })

export function locationOf(body: unknown): { id: number; idRec?: string | undefined } | undefined {
  return location.safeParse(body).data
}

const COBR_STATUS = {
  CRIADA: 'CREATED',
  ATIVA: 'ACTIVE',
  CONCLUIDA: 'PAID',
  EXPIRADA: 'EXPIRED',
  REJEITADA: 'REJECTED',
  CANCELADA: 'CANCELLED',
} as const
const TRY_STATUS = {
  SOLICITADA: 'SCHEDULED',
  AGENDADA: 'SCHEDULED',
  PAGA: 'PAID',
  REJEITADA: 'REJECTED',
  EXPIRADA: 'EXPIRED',
  CANCELADA: 'CANCELLED',
} as const

const tried = z
  .object({
    dataLiquidacao: z.string().refine(isDay),
    status: z.enum(['SOLICITADA', 'AGENDADA', 'PAGA', 'REJEITADA', 'EXPIRADA', 'CANCELADA']),
    rejeicao: z.object({ codigo: code }).optional(),
  })
  .transform(({ dataLiquidacao, status, rejeicao }): CollectionTry => ({
    day: dataLiquidacao,
    status: TRY_STATUS[status],
    code: rejeicao?.codigo ?? null,
  }))

const collection = z.object({
  idRec: recId,
  txid: z.string(),
  status: z.enum(['CRIADA', 'ATIVA', 'CONCLUIDA', 'EXPIRADA', 'REJEITADA', 'CANCELADA']),
  valor: z.object({ original: pixCents }),
  encerramento: ending,
  tentativas: z.array(tried).max(100).default([]),
  pix: z.array(pixSchema).max(1_000).default([]),
})

/** Reads the bank's answer about a collection of a permission. Undefined when it is not in the words of API Pix. */
export function collectionOf(body: unknown, charge: PixCharge): BankCharge | undefined {
  const { data } = collection.safeParse(body)
  if (!data || data.idRec !== charge.collection?.recId) return undefined
  const { encerramento, tentativas: tries, pix: receipts } = data
  const status = COBR_STATUS[data.status]
  const end = encerramento.rejeicao?.codigo ?? encerramento.cancelamento?.codigo ?? null
  const collected: Collected = { status, code: end, tries }
  const isOver = status === 'EXPIRED' || status === 'REJECTED' || status === 'CANCELLED'
  // It has no code to scan, and the bank does not say the key.
  const { txid, valor } = data
  const named = { txid, amount: valor.original, account: charge.account, copyAndPaste: null }
  return { ...named, cancelled: isOver, isPaid: status === 'PAID', receipts, collected }
}
