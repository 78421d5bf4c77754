import type { DoomedSystem } from '../doomed-system'
import { entriesOf, type Disputed, type Ledger } from '../ledger'
import { isAsAtAcquirer, readCases, readDisputes, type BookedDispute, type Case } from './dispute-books'

type Movement = { invoiceId: number; kind: 'DISPUTE' | 'DISPUTE_WON'; amount: number }

/**
 * Checks that each disputed payment is one dispute, in the acquirer's state; that one answer reached the acquirer where
 * one was given, and none elsewhere; that charge and invoice miss the money that is gone, and no more.
 */
export async function checkDisputes(system: DoomedSystem, ledger: Ledger): Promise<string[]> {
  const cases = await readCases(system)
  const disputes = await readDisputes(system)
  const movements = await readMovements(system, ledger)
  return ledger.disputed.flatMap((disputed) => {
    const atAcquirer = cases.filter(({ tid }) => tid === disputed.tid)
    const ours = disputes.filter(({ chargeId }) => chargeId === disputed.chargeId)
    const [there, here] = [atAcquirer[0], ours[0]]
    const faults =
      !there || !here || atAcquirer.length > 1 || ours.length > 1
        ? [`${atAcquirer.length} cases at the acquirer, ${ours.length} here`]
        : [
            ...faultsInState(here, there),
            ...faultsInAnswers(ledger, here, there),
            ...faultsInInvoice(disputed, here, movements),
          ]
    const facts = JSON.stringify({ there, here })
    return faults.map((fault) => `dispute of charge ${disputed.chargeId}: ${fault}; ${facts}`)
  })
}

function readMovements(system: DoomedSystem, { disputed }: Ledger): Promise<Movement[]> {
  const ids = disputed.flatMap(({ invoiceId }) => invoiceId ?? [])
  return system.read<Movement>(
    'invoices',
    `SELECT invoice_id AS "invoiceId", kind, amount FROM movements
     WHERE invoice_id = ANY($1::bigint[]) AND kind IN ('DISPUTE', 'DISPUTE_WON')`,
    [ids],
  )
}

function faultsInState(here: BookedDispute, there: Case): string[] {
  const gone = here.status === 'WON' ? 0 : here.amount
  return [
    ...(isAsAtAcquirer(here, there) ? [] : [`is ${here.status} here and ${there.status} there`]),
    ...(here.withdrawn === gone ? [] : [`${here.withdrawn} withdrawn, not ${gone}`]),
    ...(here.disputedOfPayment === gone ? [] : [`${here.disputedOfPayment} of its payment, not ${gone}`]),
  ]
}

/** A second answer at the acquirer is a breach even when the acquirer refused it. */
function faultsInAnswers(ledger: Ledger, here: BookedDispute, { answers }: Case): string[] {
  const given = entriesOf(ledger, 'dispute-accept', 'dispute-contest').filter(
    ({ status, answer }) => status === 201 && (answer as { chargeId: number }).chargeId === here.chargeId,
  )
  const kinds = new Set(given.map(({ operation }) => (operation === 'dispute-accept' ? 'ACCEPT' : 'REFUSE')))
  const taken = answers.filter(({ code }) => code !== '931')
  return [
    ...(answers.length > 1 ? [`${answers.length} answers reached the acquirer`] : []),
    ...(given.length > 1 ? [`${given.length} answers were answered 201`] : []),
    ...([...kinds].every((kind) => taken.some((each) => each.kind === kind))
      ? []
      : ['an answer was answered 201 and is not at the acquirer']),
  ]
}

function faultsInInvoice(
  { invoiceId }: Disputed,
  { withdrawn }: BookedDispute,
  movements: readonly Movement[],
): string[] {
  if (invoiceId === null) return []
  const own = movements.filter((movement) => movement.invoiceId === invoiceId)
  const gone = own.reduce((sum, { kind, amount }) => sum + (kind === 'DISPUTE' ? amount : -amount), 0)
  return gone === withdrawn ? [] : [`its invoice misses ${gone}, not ${withdrawn}`]
}
