import type { z } from 'zod'
import { dayAt, noonOf } from '../../bank/bank-calendar'
import { hundredthsOf, moneyText } from '../money-text'
import type { PixBank } from '../pix-bank'
import { newMessageId, presentDevolution, type Received } from '../received/received'
import { sellerOf } from '../seller'
import { tell } from '../webhooks/webhook'
import type { cobrBody } from './cobr-request'
import { endingOf, stepsOf, type Ending, type Rec, type Step } from './rec'

export type CobrStatus = 'CRIADA' | 'ATIVA' | 'CONCLUIDA' | 'EXPIRADA' | 'REJEITADA' | 'CANCELADA'
export type AttemptStatus = 'SOLICITADA' | 'AGENDADA' | 'PAGA' | 'CANCELADA' | 'REJEITADA' | 'EXPIRADA'

/** One try to collect. `kind`: scheduled (AGND), or again after a try that failed (NTAG). */
export type Attempt = {
  day: string
  kind: 'AGND' | 'NTAG'
  endToEndId: string
  history: readonly Step<AttemptStatus>[]
  rejection?: { codigo: string; descricao: string } | undefined
}

/** A collection of one cycle of a permission. */
export type Cobr = {
  txid: string
  client: string
  idRec: string
  policy: Rec['terms']['politicaRetentativa']
  terms: Omit<z.output<typeof cobrBody>, 'idRec'>
  history: readonly Step<CobrStatus>[]
  attempts: readonly Attempt[]
  ending?: Ending | undefined
}

type Cancellation = Extract<Ending, { cancelamento: object }>['cancelamento']

export function statusOfCobr({ history }: Pick<Cobr, 'history'>): CobrStatus {
  return history.at(-1)?.status ?? 'CRIADA'
}

export function isOpen(cobr: Cobr): boolean {
  return ['CRIADA', 'ATIVA'].includes(statusOfCobr(cobr))
}

/** Returns the attempt that waits for its day. */
export function openAttempt({ attempts }: Cobr): Attempt | undefined {
  const last = attempts.at(-1)
  return last && statusOfAttempt(last) === 'AGENDADA' ? last : undefined
}

export function schedule(cobr: Cobr, kind: Attempt['kind'], day: string, at: number): Cobr {
  const history: Attempt['history'] = [
    { status: 'SOLICITADA', at },
    { status: 'AGENDADA', at },
  ]
  const attempt = { day, kind, endToEndId: newMessageId('E', noonOf(day)), history }
  return { ...cobr, attempts: [...cobr.attempts, attempt] }
}

/** Returns a collection whose newest attempt has ended so. */
export function withAttempt(
  cobr: Cobr,
  status: AttemptStatus,
  at: number,
  rejection?: Attempt['rejection'],
): Cobr {
  const attempts = cobr.attempts.map((attempt, index) =>
    index === cobr.attempts.length - 1
      ? { ...attempt, history: [...attempt.history, { status, at }], rejection }
      : attempt,
  )
  return { ...cobr, attempts }
}

/** Saves a collection, in another status if there is one, and reports it. */
export function keepCobr(
  bank: PixBank,
  cobr: Cobr,
  status: CobrStatus | undefined,
  at: number,
  ending?: Ending,
): Cobr {
  const history = status === undefined ? cobr.history : [...cobr.history, { status, at }]
  const kept = { ...cobr, history, ending: ending ?? cobr.ending }
  bank.cobrs.save(kept)
  reportCobr(bank, kept)
  return kept
}

export function reportCobr(bank: PixBank, cobr: Cobr): void {
  const { idRec, txid } = cobr
  const status = statusOfCobr(cobr)
  tell(bank, cobr.client, 'cobr', '', { idRec, txid, status, ...progressOf(bank, cobr) })
}

export function cancelCobr(bank: PixBank, cobr: Cobr, cancelamento: Cancellation, at: number): Cobr {
  const stopped = openAttempt(cobr) ? withAttempt(cobr, 'CANCELADA', at) : cobr
  return keepCobr(bank, stopped, 'CANCELADA', at, { cancelamento })
}

/** A permission that ended takes its open collections with it. */
export function cancelOpenCharges(
  bank: PixBank,
  { idRec }: Rec,
  { solicitante }: Cancellation,
  at: number,
): void {
  const codigo = solicitante.endsWith('RECEBEDOR') ? 'SLCR' : 'SLBD'
  const descricao = 'A recorrência foi cancelada'
  for (const cobr of bank.cobrs.all()) {
    if (cobr.idRec === idRec && isOpen(cobr)) cancelCobr(bank, cobr, { solicitante, codigo, descricao }, at)
  }
}

/** Returns a collection as its creation and cancellation answer it. */
export function presentCobr(cobr: Cobr) {
  const { recebedor, calendario, ...terms } = cobr.terms
  const { cnpj, nome } = sellerOf(cobr.client)
  return {
    idRec: cobr.idRec,
    txid: cobr.txid,
    ...terms,
    calendario: { criacao: dayAt(cobr.history[0]?.at ?? 0), ...calendario },
    recebedor: { cnpj, nome, ...recebedor },
    status: statusOfCobr(cobr),
  }
}

/** Returns a collection as a query answers it. */
export function presentWhole(bank: PixBank, cobr: Cobr) {
  const { recebedor } = cobr.terms
  return { ...presentCobr(cobr), recebedor, politicaRetentativa: cobr.policy, ...progressOf(bank, cobr) }
}

function progressOf(bank: PixBank, cobr: Cobr) {
  const paid = cobr.attempts.flatMap(({ endToEndId }) => bank.received.get(endToEndId) ?? [])
  return {
    ...stepsOf(cobr),
    ...endingOf(cobr),
    tentativas: cobr.attempts.map(presentAttempt),
    ...(paid.length > 0 && { pix: paid.map(presentAutomaticPix) }),
  }
}

function presentAttempt(attempt: Attempt) {
  const { day, kind, endToEndId, rejection } = attempt
  return {
    dataLiquidacao: day,
    tipo: kind,
    endToEndId,
    status: statusOfAttempt(attempt),
    ...stepsOf(attempt),
    ...(rejection && { rejeicao: rejection }),
  }
}

/** A Pix of a collection says less than another. */
function presentAutomaticPix({ endToEndId, txid, amount, at, devolutions }: Received) {
  return {
    endToEndId,
    txid,
    valor: moneyText(amount),
    horario: new Date(at).toISOString(),
    ...(devolutions.length > 0 && { devolucoes: devolutions.map(presentDevolution) }),
  }
}

export function amountOfCobr({ terms }: Cobr): number {
  return hundredthsOf(terms.valor.original)
}

function statusOfAttempt({ history }: Attempt): AttemptStatus {
  return history.at(-1)?.status ?? 'SOLICITADA'
}
