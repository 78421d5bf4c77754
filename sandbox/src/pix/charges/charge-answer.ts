import { brCode } from '../locations/br-code'
import { termsOf, type Charge } from './charge'
import { locationOf, presentLocation } from '../locations/location'
import type { PixBank } from '../pix-bank'
import { presentPix, type Received } from '../received/received'
import { sellerOf } from '../seller'

/** Returns a charge as its creation and revision answer it; of an older revision, with the terms of that one. */
export function presentCharge(bank: PixBank, charge: Charge, revision = charge.revisions.length - 1) {
  const { calendario, ...terms } = charge.revisions[revision] ?? termsOf(charge)
  const location = locationOf(bank, charge.locId)
  const seller = sellerOf(charge.client)
  const shown = presentLocation(location)
  return {
    calendario: { criacao: new Date(charge.createdAt).toISOString(), ...calendario },
    txid: charge.txid,
    revisao: revision,
    loc: shown,
    location: location.location,
    status: charge.status,
    ...terms,
    ...(charge.kind === 'cobv' && { recebedor: seller }),
    pixCopiaECola: brCode({ charge: location.location }, seller.nome),
  }
}

/** Returns a charge as a query answers it: with its payments. */
export function presentWithPayments(bank: PixBank, charge: Charge, revision?: number) {
  const payments = paymentsOf(bank, charge)
  return {
    ...presentCharge(bank, charge, revision),
    ...(payments.length > 0 && { pix: payments.map(presentPix) }),
  }
}

export function paymentsOf({ received }: PixBank, { payments }: Charge): Received[] {
  return payments.flatMap((endToEndId) => received.get(endToEndId) ?? [])
}
