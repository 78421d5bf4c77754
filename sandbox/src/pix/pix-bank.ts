import { bankTime } from '../bank/bank-clock'
import type { Faults } from '../faults'
import type { Cobr } from './automatic/cobr'
import type { Rec } from './automatic/rec'
import { chargeKey, type Charge } from './charges/charge'
import { PixClients } from './clients'
import type { Location } from './locations/location'
import { SCOPES } from './pix-routes'
import type { DevolutionStatus, Received } from './received/received'
import { Shelf } from './shelf'
import { WebhookSender } from './webhooks/webhook-sender'
import { webhookKey, type Webhook } from './webhooks/webhook'

/** How the next `times` returns that a seller asks for end; EM_PROCESSAMENTO waits for a control. */
export type NextDevolutions = { status: DevolutionStatus; times: number }

/** The codes with which the next `times` collections are rejected, those of one permission or of all. */
export type NextRejections = { code: string; times: number; idRec?: string | undefined }

/** The state that the Pix bank's host, its controls and the page share. */
export type PixBank = {
  readonly faults: Faults
  readonly clients: PixClients
  readonly locations: Shelf<Location>
  /** The keys of the directory, each with the account whose call brought it first. */
  readonly keys: Shelf<{ key: string; client: string }>
  readonly charges: Shelf<Charge>
  readonly received: Shelf<Received>
  readonly recs: Shelf<Rec>
  readonly cobrs: Shelf<Cobr>
  readonly webhooks: Shelf<Webhook>
  readonly sender: WebhookSender
  nextDevolutions: NextDevolutions[]
  nextRejections: NextRejections[]
  /** The bank's time, epoch milliseconds. */
  readonly now: () => Promise<number>
}

type PixSettings = {
  dataDir: string
  tls: { cert: string; key: string }
  bank: { billingClockUrl?: string | undefined }
}

export function openPixBank({ dataDir, tls, bank }: PixSettings, faults: Faults): PixBank {
  return {
    faults,
    clients: new PixClients(dataDir, SCOPES),
    locations: new Shelf(dataDir, 'locations', ({ id }) => String(id)),
    keys: new Shelf(dataDir, 'keys', ({ key }) => key),
    charges: new Shelf<Charge>(dataDir, 'charges', chargeKey),
    received: new Shelf(dataDir, 'received', ({ endToEndId }) => endToEndId),
    recs: new Shelf(dataDir, 'recs', ({ idRec }) => idRec),
    cobrs: new Shelf<Cobr>(dataDir, 'cobrs', chargeKey),
    webhooks: new Shelf<Webhook>(dataDir, 'webhooks', webhookKey),
    sender: new WebhookSender(dataDir, tls),
    nextDevolutions: [],
    nextRejections: [],
    now: () => bankTime(bank.billingClockUrl),
  }
}

export function closePixBank(bank: PixBank): void {
  const { sender, clients, locations, keys, charges, received, recs, cobrs, webhooks } = bank
  for (const part of [sender, clients, locations, keys, charges, received, recs, cobrs, webhooks])
    part.close()
}
