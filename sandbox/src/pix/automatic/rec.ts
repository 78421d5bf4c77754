import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { dayAt } from '../../bank/bank-calendar'
import { brCode } from '../locations/br-code'
import { locationOf, presentLocation } from '../locations/location'
import type { PixBank } from '../pix-bank'
import { ISPB, presentPayer, type Payer } from '../received/received'
import { sellerOf } from '../seller'
import { tell } from '../webhooks/webhook'
import type { recBody } from './rec-request'

export type RecStatus = 'CRIADA' | 'APROVADA' | 'REJEITADA' | 'EXPIRADA' | 'CANCELADA'
export const JOURNEYS = ['JORNADA_1', 'JORNADA_2', 'JORNADA_3', 'JORNADA_4'] as const
export type Journey = (typeof JOURNEYS)[number]

/** Why a permission or a charge of it ended, as the document writes it. */
export type Ending =
  | { rejeicao: { codigo: string; descricao: string } }
  | { cancelamento: { solicitante: string; codigo: string; descricao: string } }

/** A change of status. Epoch milliseconds. */
export type Step<Status> = { status: Status; at: number }

/** A payer's permission to collect by Pix Automático. */
export type Rec = {
  idRec: string
  client: string
  terms: Omit<z.output<typeof recBody>, 'loc' | 'ativacao'>
  /** The immediate charge that is paid with the permission: journey 3. */
  txid?: string | undefined
  locId?: number | undefined
  /** The newest last. */
  history: readonly Step<RecStatus>[]
  journey?: Journey | undefined
  payer?: Payer | undefined
  ending?: Ending | undefined
}

/** The number says whether the bank may try again: R or N. */
export function newRecId({ politicaRetentativa }: Rec['terms'], at: number): string {
  const again = politicaRetentativa === 'NAO_PERMITE' ? 'N' : 'R'
  return `R${again}${ISPB}${dayAt(at).replaceAll('-', '')}${randomBytes(6).toString('hex').slice(0, 11)}`
}

export function statusOfRec({ history }: Pick<Rec, 'history'>): RecStatus {
  return history.at(-1)?.status ?? 'CRIADA'
}

/** Saves a permission in another status, and reports it. */
export function moveRec(
  bank: PixBank,
  rec: Rec,
  status: RecStatus,
  at: number,
  change: Partial<Rec> = {},
): Rec {
  const moved = { ...rec, ...change, history: [...rec.history, { status, at }] }
  bank.recs.save(moved)
  tell(bank, moved.client, 'rec', '', {
    idRec: moved.idRec,
    status,
    ...stepsOf(moved),
    ...endingOf(moved),
    ativacao: activationOf(moved),
  })
  return moved
}

/** Returns a permission as its creation and revision answer it. */
export function presentRec(bank: PixBank, rec: Rec) {
  const { politicaRetentativa: _policy, ...terms } = presentFull(bank, rec)
  return terms
}

/** Returns a permission as a query answers it; with the text of its QR code, alone or with a charge. */
export function presentRecWithCode(bank: PixBank, rec: Rec, charge?: { journey: Journey; location: string }) {
  const shown = {
    ...presentFull(bank, rec),
    ...(rec.payer && {
      pagador: { ...payerWithoutName(rec.payer), ispbParticipante: '99999012', codMun: '3550308' },
    }),
  }
  if (rec.locId === undefined) return shown
  const permission = locationOf(bank, rec.locId).location
  const pixCopiaECola = brCode({ charge: charge?.location, permission }, sellerOf(rec.client).nome)
  return { ...shown, dadosQR: { jornada: charge?.journey ?? 'JORNADA_2', pixCopiaECola } }
}

export function stepsOf({ history }: { history: readonly Step<string>[] }) {
  return { atualizacao: history.map(({ status, at }) => ({ status, data: new Date(at).toISOString() })) }
}

export function endingOf({ ending }: { ending?: Ending | undefined }) {
  return ending === undefined ? {} : { encerramento: ending }
}

function presentFull(bank: PixBank, rec: Rec) {
  const { cnpj, nome } = sellerOf(rec.client)
  const { recebedor, ...terms } = rec.terms
  return {
    idRec: rec.idRec,
    ...terms,
    recebedor: { cnpj, nome, ...recebedor },
    status: statusOfRec(rec),
    ...(rec.locId !== undefined && {
      loc: { ...presentLocation(locationOf(bank, rec.locId)), idRec: rec.idRec },
    }),
    ...stepsOf(rec),
    ...endingOf(rec),
    ativacao: activationOf(rec),
  }
}

function activationOf({ journey, txid }: Rec) {
  const data = txid !== undefined && (journey === undefined || journey === 'JORNADA_3')
  return { tipoJornada: journey ?? 'AGUARDANDO_DEFINICAO', ...(data && { dadosJornada: { txid } }) }
}

function payerWithoutName(payer: Payer) {
  const { nome: _name, ...document } = presentPayer(payer)
  return document
}
