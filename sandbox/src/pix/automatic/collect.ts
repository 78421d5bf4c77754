import { dayAt, dayNumber, noonOf } from '../../bank/bank-calendar'
import type { PixBank } from '../pix-bank'
import { amountOfCobr, isOpen, keepCobr, openAttempt, withAttempt, type Cobr } from './cobr'
import { RETRIES } from './cobr-routes'

/** The document's codes with which a payer's bank rejects an attempt. */
export const REJECTIONS = [
  'AB10',
  'AC05',
  'AC06',
  'AM02',
  'AM09',
  'DENC',
  'DS27',
  'DTED',
  'DTNT',
  'FBRD',
  'IRNT',
  'MIDI',
  'MSUC',
  'NIEC',
  'NIPA',
  'NITX',
  'QUNT',
  'RC09',
  'UDEI',
] as const
/** Those that end the collection itself. */
const FATAL = ['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09']

/** How an attempt ends: paid, or rejected with a code. */
export type Outcome = { code?: string | undefined }

/** Ends the attempt that waits for its day. */
export function settleAttempt(bank: PixBank, cobr: Cobr, { code }: Outcome): Cobr {
  const attempt = openAttempt(cobr)
  if (!attempt) throw new Error('a collection without an open attempt')
  const at = noonOf(attempt.day)
  if (code === undefined) {
    const { client, txid, idRec } = cobr
    const payer = bank.recs.get(idRec)?.payer
    const { endToEndId } = attempt
    // Its news goes out with the collection's.
    bank.received.save({ endToEndId, client, txid, amount: amountOfCobr(cobr), payer, at, devolutions: [] })
    return keepCobr(bank, withAttempt(cobr, 'PAGA', at), 'CONCLUIDA', at)
  }
  const rejection = { codigo: code, descricao: `Rejeição ${code} do banco do pagador` }
  const rejected = withAttempt(cobr, 'REJEITADA', at, rejection)
  if (FATAL.includes(code)) return keepCobr(bank, rejected, 'REJEITADA', at, { rejeicao: rejection })
  return keepCobr(bank, rejected, mayRetry(rejected) ? undefined : 'EXPIRADA', at)
}

/** Does what is due up to the bank's day: every attempt, and the end of what can be tried no more. */
export function collect(bank: PixBank, now: number): Cobr[] {
  const today = dayAt(now)
  return bank.cobrs.all().flatMap((cobr) => {
    const attempt = openAttempt(cobr)
    if (attempt) return attempt.day <= today ? settleAttempt(bank, cobr, nextOutcome(bank, cobr)) : []
    const late = dayNumber(today) - dayNumber(cobr.terms.calendario.dataDeVencimento)
    return isOpen(cobr) && late > RETRIES.days ? keepCobr(bank, cobr, 'EXPIRADA', now) : []
  })
}

function mayRetry({ policy, attempts }: Cobr): boolean {
  return policy === 'PERMITE_3R_7D' && attempts.length <= RETRIES.times
}

/** Returns the outcome that a control has set for the next attempt, and uses it up once. */
function nextOutcome(bank: PixBank, { idRec }: Cobr): Outcome {
  const next = bank.nextRejections.find((one) => one.idRec === undefined || one.idRec === idRec)
  if (!next) return {}
  next.times -= 1
  bank.nextRejections = bank.nextRejections.filter(({ times }) => times > 0)
  return { code: next.code }
}
