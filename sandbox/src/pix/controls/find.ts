import { ControlError } from '../../problem'
import { readBrCode } from '../locations/br-code'
import type { Charge } from '../charges/charge'
import type { PixBank } from '../pix-bank'
import type { Received } from '../received/received'

type Named = { txid?: string | undefined; copyAndPaste?: string | undefined }

/** Returns the charge that a payer has in hand: by its BR Code, or the newest of a txid. */
export function findCharge(bank: PixBank, { txid, copyAndPaste }: Named): Charge {
  if (copyAndPaste !== undefined) return findPasted(bank, copyAndPaste)
  const charge = bank.charges
    .all()
    .toReversed()
    .find((one) => one.txid === txid)
  if (!charge) throw new ControlError(404, 'There is no such charge')
  return charge
}

/** Returns the charge that a BR Code shows. */
function findPasted(bank: PixBank, text: string): Charge {
  const readable = readBrCode(text)
  if (!readable) throw new ControlError(422, 'The copy-and-paste text is damaged')
  const charge = bank.charges.get(holderAt(bank, readable.charge))
  if (!charge) throw new ControlError(404, 'There is no such charge')
  return charge
}

/** Returns the key of what a location shows, empty when it shows nothing. */
export function holderAt({ locations }: PixBank, location: string | undefined): string {
  return locations.all().find((one) => one.location === location)?.holder ?? ''
}

export function findReceived({ received }: PixBank, endToEndId: string | undefined): Received {
  const pix = received.get(endToEndId ?? '')
  if (!pix) throw new ControlError(404, 'There is no such Pix')
  return pix
}
