import type { InvoiceEventType } from '@cofre/api/events'
import { DomainError } from '@cofre/platform/errors'
import type { ChargeStatus, InvoiceStatus, WholeInvoice } from './invoice'
import { isPastDue } from './lateness'

/** Where an invoice may go from each state. */
const NEXT: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  OPEN: ['CLOSED', 'CANCELLED', 'UNCOLLECTIBLE'],
  CLOSED: ['PAID', 'CANCELLED', 'UNCOLLECTIBLE'],
  UNCOLLECTIBLE: ['PAID', 'CANCELLED'],
  PAID: [],
  CANCELLED: [],
}

/** What a seller may ask for, and where it leads. */
const ACTIONS = { finalize: 'CLOSED', void: 'CANCELLED', uncollectible: 'UNCOLLECTIBLE' } as const

export type Action = keyof typeof ACTIONS

const EVENT = {
  finalize: 'invoice.finalized',
  void: 'invoice.voided',
  uncollectible: 'invoice.uncollectible',
} as const satisfies Record<Action, InvoiceEventType>

/** A change decided and not yet saved. `charge`: what becomes of the charge. */
export type Decision = {
  invoice: WholeInvoice
  event: InvoiceEventType
  charge: ChargeStatus | undefined
}

/**
 * What an action makes of an invoice. Undefined: nothing, an UNCOLLECTIBLE one stays so. FAILED_PRECONDITION
 * INVALID_INVOICE_STATE for an action that its state does not allow.
 */
export function act(invoice: WholeInvoice, action: Action, at: number): Decision | undefined {
  const status = ACTIONS[action]
  if (action === 'uncollectible' && invoice.status === status) return undefined
  if (!NEXT[invoice.status].includes(status)) throw invalidState(invoice, action)
  const closed = action === 'finalize' ? { closeDate: at } : {}
  const changed = { ...invoice, ...closed, status, pastDueTold: invoice.pastDueTold && action === 'finalize' }
  return { invoice: told(changed, at), event: EVENT[action], charge: chargeAfter(invoice, action) }
}

function chargeAfter({ charge }: WholeInvoice, action: Action): ChargeStatus | undefined {
  if (action === 'finalize') return 'PENDING'
  return action === 'void' && charge ? 'CANCELLED' : undefined
}

/** The seller is told once that an invoice is past due. Undefined: it is not, or was told. */
export function tellPastDue(invoice: WholeInvoice, at: number): Decision | undefined {
  if (invoice.pastDueTold || !isPastDue(invoice, at)) return undefined
  return {
    invoice: told({ ...invoice, pastDueTold: true }, at),
    event: 'invoice.past_due',
    charge: undefined,
  }
}

function told(invoice: WholeInvoice, at: number): WholeInvoice {
  return { ...invoice, sequence: invoice.sequence + 1, updatedAt: at }
}

function allowedActions(status: InvoiceStatus): Action[] {
  const allowed = (Object.keys(ACTIONS) as Action[]).filter((each) => NEXT[status].includes(ACTIONS[each]))
  return status === 'UNCOLLECTIBLE' ? [...allowed, 'uncollectible'] : allowed
}

const WORDS: Record<Action, string> = {
  finalize: 'Only an OPEN invoice can be finalized.',
  void: 'An invoice that is PAID or CANCELLED cannot be voided.',
  uncollectible: 'An invoice that is PAID or CANCELLED cannot be marked uncollectible.',
}

function invalidState({ status }: WholeInvoice, action: Action): DomainError {
  const members = { currentStatus: status, allowedActions: allowedActions(status) }
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', WORDS[action], { members })
}
