import { reportCobr } from '../automatic/cobr'
import { chargeKey, termsOf, type Charge } from '../charges/charge'
import type { Due } from '../charges/due'
import type { PixBank } from '../pix-bank'
import {
  newMessageId,
  presentPix,
  type Devolution,
  type DevolutionStatus,
  type Payer,
  type Received,
} from './received'
import { tell } from '../webhooks/webhook'

/** What a payer sends. Cents; epoch milliseconds. */
export type Payment = {
  amount: number
  due?: Omit<Due, 'total'> | undefined
  payer?: Payer | undefined
  note?: string | undefined
  at: number
}

/** Takes a payment of a charge in every status: whether it may come is asked before. */
export function receiveFor(bank: PixBank, charge: Charge, payment: Payment): Received {
  const { client, txid, status } = charge
  const pix = receive(bank, { client, key: termsOf(charge).chave, txid, charge: chargeKey(charge) }, payment)
  bank.charges.save({
    ...charge,
    status: status === 'ATIVA' ? 'CONCLUIDA' : status,
    payments: [...charge.payments, pix.endToEndId],
  })
  return pix
}

/** Takes a payment, and reports it when it belongs to a txid: the document reports no other. */
export function receive(
  bank: PixBank,
  receiver: Pick<Received, 'client' | 'key' | 'txid' | 'charge'>,
  payment: Payment,
): Received {
  const pix: Received = {
    endToEndId: newMessageId('E', payment.at),
    ...receiver,
    ...payment,
    devolutions: [],
  }
  bank.received.save(pix)
  report(bank, pix)
  return pix
}

/** Keeps a return, and its end, unless that is to come later: then EM_PROCESSAMENTO. */
export function addDevolution(
  bank: PixBank,
  pix: Received,
  devolution: Devolution,
  end: DevolutionStatus,
): Received {
  const kept = { ...pix, devolutions: [...pix.devolutions, devolution] }
  bank.received.save(kept)
  if (end === 'EM_PROCESSAMENTO') return kept
  return settleDevolution(bank, kept, devolution.id, end, devolution.askedAt)
}

export function settleDevolution(
  bank: PixBank,
  pix: Received,
  id: string,
  status: DevolutionStatus,
  at: number,
): Received {
  const devolutions = pix.devolutions.map((devolution) =>
    devolution.id === id
      ? { ...devolution, status, ...(status === 'DEVOLVIDO' && { settledAt: at }) }
      : devolution,
  )
  const settled = { ...pix, devolutions }
  bank.received.save(settled)
  report(bank, settled)
  return settled
}

/** Reports a Pix as it is now: to the webhook of its key, or with the collection that it pays. */
export function report(bank: PixBank, pix: Received): void {
  const { client, key, txid } = pix
  if (txid === undefined) return
  const cobr = bank.cobrs.get(chargeKey({ client, txid }))
  if (cobr) reportCobr(bank, cobr)
  else if (key !== undefined) tell(bank, client, 'pix', key, presentPix(pix))
}

/** Returns how the next return that a seller asks for ends, and uses it up once. */
export function nextEnd(bank: PixBank): DevolutionStatus {
  const [next, ...others] = bank.nextDevolutions
  if (!next) return 'DEVOLVIDO'
  bank.nextDevolutions = next.times > 1 ? [{ ...next, times: next.times - 1 }, ...others] : others
  return next.status
}
