const GATEWAY = 'services/gateway'
const INVOICES = 'services/invoices'
const BILLED_ONCE = `${INVOICES}/test/recurring/billed-once.test.ts`
const REQUESTS = `${INVOICES}/test/recurring/requests.test.ts`

/** As in named.mjs: of recurring invoices, booklets, dunning, reminders, e-mails and the billing clock. */
export const NAMED_RECURRING = [
  // Cycles.
  {
    what: 'the day of a cycle is counted from the one before, and the anchor day is lost',
    file: `${INVOICES}/src/recurring/transition.ts`,
    old: 'const next = { nextPeriod, nextCycleDay: cycleDayOf(anchorDay, frequency, nextPeriod) }',
    now: 'const next = { nextPeriod, nextCycleDay: cycleDayOf(nextCycleDay, frequency, 1) }',
    tests: [`${INVOICES}/test/recurring/transition.test.ts`],
  },
  {
    what: 'a cycle that was billed is billed again after a pause on its day',
    file: `${INVOICES}/src/recurring/transition.ts`,
    old: 'Math.max(recurring.nextPeriod, periodFrom(anchorDay, frequency, dayOf(at)))',
    now: 'periodFrom(anchorDay, frequency, dayOf(at))',
    tests: [REQUESTS],
  },
  {
    what: 'an extra item is looked for by its place in the schedule, and a pause loses it',
    file: `${INVOICES}/src/recurring/cycle-invoice.ts`,
    old: 'const items = itemsOfCycle(recurring.items, cycle).map(',
    now: 'const items = itemsOfCycle(recurring.items, recurring.nextPeriod + 1).map(',
    tests: [REQUESTS, `${INVOICES}/test/recurring/billing.test.ts`],
  },
  {
    what: 'a card that the recurring invoice names is charged, and its customer is asked to pay as well',
    file: `${INVOICES}/src/recurring/cycle-invoice.ts`,
    old: 'if (cardId === null && keptCardId === null) {',
    now: 'if (keptCardId === null) {',
    tests: [`${INVOICES}/test/recurring/billing.test.ts`, `${INVOICES}/test/booklets/create-booklet.test.ts`],
  },
  {
    what: 'a batch takes a cycle that somebody else has in hand',
    file: `${INVOICES}/src/recurring-store/cycle-store.ts`,
    old: 'ORDER BY next_cycle_day, id LIMIT $2 FOR UPDATE SKIP LOCKED',
    now: 'ORDER BY next_cycle_day, id LIMIT $2',
    tests: [BILLED_ONCE],
  },
  {
    what: 'a pause undoes the batch that bills meanwhile',
    file: `${INVOICES}/src/recurring-store/recurring-store.ts`,
    old: "'SELECT FROM recurring_invoices WHERE id = $1 AND seller_id = $2 FOR UPDATE'",
    now: "'SELECT FROM recurring_invoices WHERE id = $1 AND seller_id = $2'",
    tests: [BILLED_ONCE, REQUESTS],
  },
  {
    what: 'sellers do not hear that the invoice of a cycle was finalized',
    file: `${INVOICES}/src/billing/bill-batch.ts`,
    old: "      invoiceEvent(invoice, 'invoice.finalized'),\n",
    now: '',
    tests: [`${INVOICES}/test/recurring/billing.test.ts`],
  },
  {
    what: 'the sweepers bill no cycle and remind nobody',
    file: `${INVOICES}/src/sweepers/run-billing.ts`,
    old: 'billingJobs(deps).filter((job) => !isCharging(job))',
    now: 'billingJobs(deps).filter((job) => isCharging(job))',
    tests: [`${INVOICES}/test/recurring/clock.test.ts`, `${INVOICES}/test/dunning/slow.test.ts`],
  },
  {
    what: 'a clock that is moved to the day of a cycle does not bill it',
    file: `${INVOICES}/src/billing/advance-billing.ts`,
    old: 'due !== undefined && due <= to;',
    now: 'due !== undefined && due < to;',
    tests: [`${INVOICES}/test/recurring/clock.test.ts`],
  },
  {
    what: 'the interest of a recurring invoice gets lost on its way to the service',
    file: `${GATEWAY}/src/routes/recurring/recurring-message.ts`,
    old: '      fine,\n      interest,\n',
    now: '      fine,\n',
    tests: [`${GATEWAY}/test/recurring/recurring.test.ts`, `${GATEWAY}/test/recurring/members.test.ts`],
  },
  // Booklets.
  {
    what: 'the invoices of a booklet get boletos while their cards are being charged',
    file: `${INVOICES}/src/rpc/recurring/generate-boletos.ts`,
    old: '      if (isBeingPaid(invoice)) throw paymentPending()\n',
    now: '',
    tests: [`${INVOICES}/test/booklets/generate-boletos.test.ts`],
  },
  // Dunning.
  {
    what: 'who cancels a recurring invoice stops the charges of all others of the seller',
    file: `${INVOICES}/src/recurring-store/stop-charges-store.ts`,
    old: 'AND invoice_id IN (SELECT id FROM invoices WHERE recurring_invoice_id = $1)',
    now: 'AND $1::bigint IS NOT NULL',
    tests: [`${INVOICES}/test/recurring/cancelled-charges.test.ts`],
  },
  {
    what: 'a card is charged without asking about a boleto that ended a moment ago',
    file: `${INVOICES}/src/dunning/automatic-charge-store.ts`,
    old: "(status IN ('PENDING', 'REGISTERED') OR status IN ('EXPIRED', 'CANCELLED') AND ask_at IS NOT NULL)",
    now: "status IN ('PENDING', 'REGISTERED')",
    tests: [`${INVOICES}/test/dunning/boleto.test.ts`],
  },
  {
    what: 'money that waits for a person holds back the cards of all invoices of the seller',
    file: `${INVOICES}/src/dunning/automatic-charge-store.ts`,
    old: 'NOT is_resolved AND invoice_id = $2 LIMIT 1',
    now: 'NOT is_resolved AND $2::bigint IS NOT NULL LIMIT 1',
    tests: [`${INVOICES}/test/dunning/boleto.test.ts`],
  },
  {
    what: 'the limits of brands count the declines of one week',
    file: `${INVOICES}/src/dunning/card-history-store.ts`,
    old: 'const COUNTED_DAYS = 31',
    now: 'const COUNTED_DAYS = 7',
    tests: [`${INVOICES}/test/dunning/automatic.test.ts`],
  },
  {
    what: 'a card is not charged in the month in which it expires',
    file: `${INVOICES}/src/dunning/chosen-card.ts`,
    old: "padStart(2, '0')}` < dayOf(at).slice(0, 7)",
    now: "padStart(2, '0')}` <= dayOf(at).slice(0, 7)",
    tests: [`${INVOICES}/test/dunning/automatic.test.ts`],
  },
  {
    what: 'a card that is charged late pays no fine and no interest',
    file: `${INVOICES}/src/dunning/charge-automatically.ts`,
    old: 'function orderOf({ invoice, transaction: { amount }, card, isKnown }: BegunAttempt)',
    now: 'function orderOf({ invoice, invoice: { amount }, card, isKnown }: BegunAttempt)',
    tests: [`${INVOICES}/test/dunning/our-delay.test.ts`, `${INVOICES}/test/dunning/automatic.test.ts`],
  },
  {
    what: 'an invoice whose card was tried in vain stays open although its seller gives it up',
    file: `${INVOICES}/src/dunning/end-dunning.ts`,
    old: 'if (charge.attempts === 0 && !isOfTheCard(charge)) return invoice',
    now: 'if (!isOfTheCard(charge)) return invoice',
    tests: [`${INVOICES}/test/dunning/automatic.test.ts`, `${INVOICES}/test/dunning/uncharged.test.ts`],
  },
  // Letters.
  {
    what: 'a customer is reminded to pay while their card is being charged',
    file: `${INVOICES}/src/reminders/remind.ts`,
    old: "hasCard && (automatic === 'WAITING' || automatic === 'TRYING')",
    now: "hasCard && automatic === 'WAITING'",
    tests: [`${INVOICES}/test/reminders/reminders.test.ts`],
  },
  {
    what: 'reminders count as letters that the seller has sent by hand',
    file: `${INVOICES}/src/email/email-store.ts`,
    old: " AND created_at > $2 AND cause LIKE '${BY_HAND}%' ORDER BY",
    now: ' AND created_at > $2 ORDER BY',
    tests: [`${INVOICES}/test/emails/send-email.test.ts`],
  },
]
