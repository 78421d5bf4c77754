import type { DoomedSystem } from '../doomed-system'

const STATUS: Record<string, string> = {
  CRIADA: 'CREATED',
  APROVADA: 'APPROVED',
  REJEITADA: 'REJECTED',
  EXPIRADA: 'EXPIRED',
  CANCELADA: 'CANCELLED',
}

type AtBank = { idRec: string; txid: string; status: string }
type Permission = { recId: string; status: string }
/** A collection here. `received`: cents that came for it. */
type Collection = { txid: string; amount: number; received: number; invoiceStatus: string }

export async function readCollectionsAtBank({ ready }: DoomedSystem): Promise<AtBank[]> {
  return (await (await fetch(`${ready.sandboxUrl}/pix/cobrs`)).json()) as AtBank[]
}

/**
 * What of Pix Automático is not here as the bank has it: each permission has the bank's state, and no other is there; each
 * collection is ours, and what was collected came once and paid its invoice.
 */
export async function faultsInAutomatic(system: DoomedSystem): Promise<string[]> {
  const response = await fetch(`${system.ready.sandboxUrl}/pix/recs`)
  const recs = (await response.json()) as AtBank[]
  const cobrs = await readCollectionsAtBank(system)
  const permissions = await system.read<Permission>(
    'invoices',
    'SELECT rec_id AS "recId", status FROM pix_permissions WHERE rec_id IS NOT NULL',
  )
  const collections = await system.read<Collection>(
    'invoices',
    `SELECT c.txid, c.amount, i.status AS "invoiceStatus", (SELECT coalesce(sum(r.amount), 0)::bigint FROM receipts r
        WHERE r.method = 'PIX' AND r.account = c.account AND r.ask_number = c.txid) AS received
      FROM pix_charges c JOIN invoices i ON i.id = c.invoice_id WHERE c.collection_rec_id IS NOT NULL`,
  )
  const known = new Map(permissions.map((one) => [one.recId, one.status]))
  const ours = new Map(collections.map((one) => [one.txid, one]))
  return [
    ...recs
      .filter(({ idRec, status }) => known.get(idRec) !== STATUS[status])
      .map(({ idRec, status }) => `permission ${idRec} is ${status}, here ${known.get(idRec)}`),
    ...cobrs.flatMap((cobr) => faultInCollection(cobr, ours.get(cobr.txid))),
  ]
}

function faultInCollection({ txid, status }: AtBank, ours: Collection | undefined): string[] {
  const isCollected = status === 'CONCLUIDA'
  const agrees =
    ours !== undefined &&
    ours.received === (isCollected ? ours.amount : 0) &&
    (ours.invoiceStatus === 'PAID') === isCollected
  return agrees ? [] : [`collection ${txid} is ${status}, here ${JSON.stringify(ours)}`]
}
