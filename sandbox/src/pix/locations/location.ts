import { randomUUID } from 'node:crypto'
import type { ChargeKind } from '../charges/charge'
import type { PixBank } from '../pix-bank'

const HOST = 'pix.sandbox.example/qr/v2'

/** An address at which a payer's bank reads a charge or a permission. `holder`: the key of the one that it shows. */
export type Location = {
  id: number
  client: string
  kind: ChargeKind | 'rec'
  location: string
  createdAt: number
  holder?: string | undefined
}

export function newLocation(bank: PixBank, client: string, kind: Location['kind'], now: number): Location {
  const token = randomUUID().replaceAll('-', '')
  const folder = kind === 'cob' ? '' : `/${kind}`
  const location = {
    id: bank.locations.count + 1,
    client,
    kind,
    location: `${HOST}${folder}/${token}`,
    createdAt: now,
  }
  bank.locations.save(location)
  return location
}

/** Shows something else at a location; without a holder, nothing. */
export function hold(bank: PixBank, id: number, holder: string | undefined): void {
  bank.locations.save({ ...locationOf(bank, id), holder })
}

/** Returns a location that is known to exist. */
export function locationOf({ locations }: PixBank, id: number): Location {
  const location = locations.get(String(id))
  if (!location) throw new Error('a charge without its location')
  return location
}

/** Returns a location as the answer of a charge or permission shows it. */
export function presentLocation({ id, location, kind, createdAt }: Location) {
  return {
    id,
    location,
    ...(kind !== 'rec' && { tipoCob: kind }),
    criacao: new Date(createdAt).toISOString(),
  }
}
