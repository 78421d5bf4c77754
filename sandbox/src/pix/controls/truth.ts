import { brCode } from '../locations/br-code'
import { isExpired, termsOf, type Charge } from '../charges/charge'
import { paymentsOf } from '../charges/charge-answer'
import { locationOf } from '../locations/location'
import { askedAt } from '../charges/payment'
import type { PixBank } from '../pix-bank'
import type { Received } from '../received/received'
import { sellerOf } from '../seller'

/** Returns a charge as the sandbox shows it: amounts in cents, times in epoch milliseconds. */
export function presentTruth(bank: PixBank, charge: Charge, at: number) {
  const { client, txid, kind, status, createdAt, locId, revisions } = charge
  const { nome } = sellerOf(client)
  return {
    client,
    txid,
    kind,
    status,
    expired: isExpired(charge, at),
    revision: revisions.length - 1,
    receiver: nome,
    copyAndPaste: brCode({ charge: locationOf(bank, locId).location }, nome),
    due: askedAt(charge, at),
    terms: termsOf(charge),
    payments: paymentsOf(bank, charge).map(presentReceived),
    createdAt,
  }
}

export function presentReceived(pix: Received) {
  const { endToEndId, client, key, txid, amount, due, payer, note, at, devolutions } = pix
  return {
    endToEndId,
    client,
    key: key ?? null,
    txid: txid ?? null,
    amount,
    components: due ?? null,
    payer: payer ?? null,
    note: note ?? null,
    paidAt: at,
    devolutions,
  }
}
