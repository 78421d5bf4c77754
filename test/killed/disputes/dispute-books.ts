import type { DoomedSystem } from '../doomed-system'

/** A case as the acquirer has it, with every answer that reached it. */
export type Case = {
  idChargeback: string
  status: string
  tid: string
  answers: { kind: 'ACCEPT' | 'REFUSE'; code: string }[]
}

/** A dispute as the database holds it. Amounts in cents. */
export type BookedDispute = {
  caseName: string
  status: string
  tid: string
  chargeId: number | null
  amount: number
  withdrawn: number
  disputedOfPayment: number
}

/** Our word for each state of a case. A case that nobody answered in time counts as lost. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['NEEDS_RESPONSE'],
  ACCEPTED: ['ACCEPTED'],
  REFUSED: ['UNDER_REVIEW'],
  WON: ['WON'],
  LOST: ['LOST', 'EXPIRED'],
  EXPIRED: ['EXPIRED', 'LOST'],
}

export function isAsAtAcquirer({ status }: BookedDispute, { status: there }: Case): boolean {
  return OURS[there]?.includes(status) ?? false
}

export async function readCases({ ready }: DoomedSystem): Promise<Case[]> {
  const response = await fetch(`${ready.sandboxUrl}/acquirer/chargebacks`)
  return (await response.json()) as Case[]
}

export function readDisputes(system: DoomedSystem): Promise<BookedDispute[]> {
  return system.read<BookedDispute>(
    'orders',
    `SELECT d.acquirer_dispute_id AS "caseName", d.status, d.tid, d.charge_id AS "chargeId", d.amount,
       d.withdrawn_amount AS withdrawn, p.disputed_amount AS "disputedOfPayment"
     FROM disputes d JOIN payments p ON p.charge_id = d.charge_id AND p.position = d.position`,
  )
}

/** How many cases are not here as they are at the acquirer. */
export async function countUnseen(system: DoomedSystem): Promise<number> {
  const cases = await readCases(system)
  const ours = new Map((await readDisputes(system)).map((dispute) => [dispute.caseName, dispute]))
  return cases.filter((each) => {
    const dispute = ours.get(each.idChargeback)
    return !dispute || !isAsAtAcquirer(dispute, each)
  }).length
}
