import { startOf } from '@cofre/platform/calendar-day'
import type { RecurringInvoice, RecurringStatus } from '../../src/recurring/rules/recurring-invoice'
import { act, bill, type RecurringAction } from '../../src/recurring/rules/transition'

const AT = startOf('2027-02-10')

function recurringIn(status: RecurringStatus, changes: Partial<RecurringInvoice> = {}): RecurringInvoice {
  const nextCycleDay = status === 'ACTIVE' ? '2027-02-28' : null
  const schedule = { anchorDay: '2027-01-31', frequency: 'MONTHLY', nextPeriod: 1, nextCycleDay }
  return { status, ...schedule, cyclesBilled: 1, sequence: 2, updatedAt: 0, ...changes } as RecurringInvoice
}

const REFUSED = 'INVALID_INVOICE_STATE'

test.each<[RecurringStatus, RecurringAction, string]>([
  ['ACTIVE', 'pause', 'PAUSED'],
  ['ACTIVE', 'resume', REFUSED],
  ['ACTIVE', 'cancel', 'CANCELLED'],
  ['PAUSED', 'pause', REFUSED],
  ['PAUSED', 'resume', 'ACTIVE'],
  ['PAUSED', 'cancel', 'CANCELLED'],
  ['FINISHED', 'pause', REFUSED],
  ['FINISHED', 'resume', REFUSED],
  ['FINISHED', 'cancel', 'CANCELLED'],
  ['CANCELLED', 'pause', REFUSED],
  ['CANCELLED', 'resume', REFUSED],
])('%s, %s: %s', (status, action, outcome) => {
  const decide = () => act(recurringIn(status), action, AT)
  if (outcome === REFUSED) expect(decide).toThrow(expect.objectContaining({ reason: REFUSED }))
  else expect(decide()).toMatchObject({ status: outcome, updatedAt: AT })
})

test('what is cancelled again stays as it is', () => {
  const cancelled = recurringIn('CANCELLED')
  expect(act(cancelled, 'cancel', AT)).toBe(cancelled)
})

test('a booklet that charges no card has nothing to cancel', () => {
  const members = { currentStatus: 'FINISHED', allowedActions: [] }
  expect(() => act(recurringIn('FINISHED', { collectionMethod: 'SEND_INVOICE' }), 'cancel', AT)).toThrow(
    expect.objectContaining({ reason: REFUSED, extra: { members } }),
  )
})

test('a refusal names the state and the allowed actions', () => {
  const members = { currentStatus: 'PAUSED', allowedActions: ['resume', 'cancel'] }
  expect(() => act(recurringIn('PAUSED'), 'pause', AT)).toThrow(
    expect.objectContaining({ kind: 'failed_precondition', extra: { members } }),
  )
})

test('no cycle comes during a pause; cycles that fell in the pause are skipped', () => {
  const paused = act(recurringIn('ACTIVE'), 'pause', AT)
  expect(paused).toMatchObject({ nextCycleDay: null, nextPeriod: 1 })
  const resumed = act(paused, 'resume', startOf('2027-05-02'))
  expect(resumed).toMatchObject({ nextCycleDay: '2027-05-31', nextPeriod: 4, cyclesBilled: 1 })
})

test('a cycle on the day of the resumption is billed; a future cycle stays where it was', () => {
  const paused = act(recurringIn('ACTIVE'), 'pause', AT)
  expect(act(paused, 'resume', startOf('2027-02-28'))).toMatchObject({ nextCycleDay: '2027-02-28' })
  expect(act(paused, 'resume', AT + 1)).toMatchObject({ nextCycleDay: '2027-02-28', nextPeriod: 1 })
})

test('a pause before the first cycle does not bring it forward', () => {
  const early = recurringIn('ACTIVE', { nextPeriod: 0, nextCycleDay: '2027-01-31' })
  const at = startOf('2026-12-01')
  expect(act(act(early, 'pause', at), 'resume', at)).toMatchObject({
    nextPeriod: 0,
    nextCycleDay: '2027-01-31',
  })
})

test('billing a cycle counts it, and moves on to the next one', () => {
  const billed = bill(recurringIn('ACTIVE'), AT)
  expect(billed).toMatchObject({ cycle: 2, event: 'recurring_invoice.cycle_billed' })
  expect(billed.recurring).toMatchObject({
    cyclesBilled: 2,
    nextPeriod: 2,
    nextCycleDay: '2027-03-31',
    sequence: 3,
    updatedAt: AT,
  })
})

test('billed cycles alone are counted: after a pause the count goes on without a gap', () => {
  const resumed = act(act(recurringIn('ACTIVE'), 'pause', AT), 'resume', startOf('2027-05-02'))
  expect(bill(resumed, startOf('2027-05-31'))).toMatchObject({ cycle: 2, recurring: { nextPeriod: 5 } })
})

test.each(['PAUSED', 'FINISHED', 'CANCELLED'] as const)('a %s recurring invoice is not billed', (status) => {
  const refusal = `a ${status} recurring invoice is not billed`
  expect(() => bill(recurringIn(status, { nextCycleDay: '2027-02-28' }), AT)).toThrow(refusal)
})

test('a recurring invoice without a next cycle is not billed', () => {
  expect(() => bill(recurringIn('ACTIVE', { nextCycleDay: null }), AT)).toThrow('is not billed')
})
