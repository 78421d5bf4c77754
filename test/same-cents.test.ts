import { addDays, daysBetween } from '@cofre/platform/calendar-day'
import { array, assert, constant, integer, oneof, option, property, record } from 'fast-check'
import { askedAt } from '../sandbox/src/bank/slip'
import { readSlip } from '../sandbox/src/bank/slip-request'
import { cobBody, cobVBody } from '../sandbox/src/pix/charges/charge-request'
import { cobVViolations } from '../sandbox/src/pix/charges/charge-rules'
import { dueOn, lastPayableDay } from '../sandbox/src/pix/charges/due'
import { registrationBody } from '../services/invoices/src/boletos/bank/rest-bank-words'
import { instructionsOf } from '../services/invoices/src/boletos/pdf/slip-words'
import { askedOn, termsOf } from '../services/invoices/src/boletos/rules/terms'
import { lateChargesOf } from '../services/invoices/src/invoice/rules/late-charges'
import { lateDayOf } from '../services/invoices/src/invoice/rules/lateness'
import { ALL_METHODS } from '../services/invoices/src/methods/methods'
import { chargeBody } from '../services/invoices/src/pix/bank/rest-pix-words'
import { pixAskedOn, pixTermsOf } from '../services/invoices/src/pix/rules/pix-terms'
import { charge } from './pix/charge-with'
import { slip } from '../services/invoices/test/support/slips'

const MOST_DAYS = 60
const DAYS_BEFORE = 15
const noonOf = (day: string) => Date.parse(`${day}T12:00:00-03:00`)

const share = oneof(integer({ min: 1, max: 1_000 }), constant(100), constant(200))
const startsAfterDays = oneof(constant(1), integer({ min: 1, max: 40 }))
const amount = oneof(integer({ min: 1, max: 20_000 }), integer({ min: 1, max: 9_000_000_000 }))
const fine = oneof(
  record({ amountInCents: integer({ min: 1, max: 5_000 }), percentageBps: constant(null), startsAfterDays }),
  record({ amountInCents: constant(null), percentageBps: share, startsAfterDays }),
)
const interest = oneof(
  record({
    dailyAmountInCents: integer({ min: 1, max: 500 }),
    monthlyPercentageBps: constant(null),
    startsAfterDays,
  }),
  record({ dailyAmountInCents: constant(null), monthlyPercentageBps: share, startsAfterDays }),
)
const daysBeforeDueDate = integer({ min: 0, max: DAYS_BEFORE })
const discounts = array(
  oneof(
    record({
      amountInCents: integer({ min: 1, max: 9_000 }),
      percentageBps: constant(null),
      daysBeforeDueDate,
    }),
    record({ amountInCents: constant(null), percentageBps: share, daysBeforeDueDate }),
  ),
  { maxLength: 3 },
)
const cases = record({
  amount,
  dueIn: integer({ min: 0, max: 3_000 }),
  paidAfter: array(integer({ min: -DAYS_BEFORE, max: MOST_DAYS }), { minLength: 10, maxLength: 10 }),
  discounts,
  fine: option(fine),
  interest: option(interest),
})

const centsOf = (reais: string) => Number(reais.replaceAll(/\D/g, ''))
const dayOnPaper = (written: string) => written.split('/').toReversed().join('-')
const EARLY = /^Até (\S+), conceder desconto de R\$ ([\d.,]+)\.$/
const PAPER = /^Após (\S+), cobrar (?:multa|juros) de R\$ ([\d.,]+)(?: por dia após (\S+))?(?: \(.*\))?\.$/

/** What a cashier adds on a day, or takes off, who has nothing but the paper. */
function addedByPaper(lines: readonly string[]): (day: string) => number {
  const early = lines.flatMap((line) => {
    const [, until = '', reais = ''] = EARLY.exec(line) ?? []
    return reais === '' ? [] : [{ until: dayOnPaper(until), cents: centsOf(reais) }]
  })
  const late = lines.flatMap((line) => {
    const [, after = '', reais = '', from] = PAPER.exec(line) ?? []
    if (reais === '') return []
    return [{ after: dayOnPaper(after), cents: centsOf(reais), from: from && dayOnPaper(from) }]
  })
  return (day) => {
    const discount = early.find(({ until }) => day <= until)?.cents ?? 0
    return late
      .filter(({ after }) => day > after)
      .reduce((sum, { cents, from }) => sum + cents * (from ? daysBetween(from, day) : 1), -discount)
  }
}

test('paper, bank and demand ask for the same cents on every day', () => {
  let [withCharges, withDiscounts] = [0, 0]
  assert(
    property(cases, ({ amount: principal, dueIn, paidAfter, ...terms }) => {
      const dueDay = addDays('2026-12-01', dueIn)
      const dueDate = noonOf(dueDay)
      const invoice = {
        ...terms,
        amount: principal,
        status: 'CLOSED' as const,
        dueDate,
        lateFrom: null,
        lateOn: lateDayOf(dueDay),
        open: { principal, fine: 0, interest: 0, countedTo: null },
        paymentLimitDate: null,
        acceptedMethods: ALL_METHODS,
      }
      const boleto = slip(termsOf(invoice, noonOf(addDays(dueDay, -DAYS_BEFORE))))
      const registration = JSON.parse(JSON.stringify(registrationBody(boleto)))
      const registered = readSlip(boleto.account, registration, 0)
      const added = addedByPaper(instructionsOf(boleto))
      return paidAfter.every((days) => {
        const day = addDays(dueDay, days)
        const demanded = lateChargesOf(invoice, noonOf(day)).payableAmount
        const onPaper = principal + added(day)
        if (demanded > principal) withCharges += 1
        if (demanded < principal) withDiscounts += 1
        const others = [onPaper, askedAt(registered, noonOf(day)), askedOn(boleto, day)]
        return others.every((asked) => asked === demanded)
      })
    }),
    { numRuns: 10_000 },
  )
  expect(withCharges).toBeGreaterThan(40_000)
  expect(withDiscounts).toBeGreaterThan(5_000)
})

const pixCases = record({
  amount,
  dueIn: integer({ min: 0, max: 3_000 }),
  issuedAfter: integer({ min: -20, max: 20 }),
  limitedAfter: option(integer({ min: -5, max: 70 })),
  discounts,
  fine: option(fine),
  interest: option(interest),
})

test('a payer’s bank asks by Pix for what the invoice asks for, on every day on which it takes the charge', () => {
  const seen = { early: 0, late: 0, immediate: 0, moved: 0 }
  assert(
    property(pixCases, ({ amount: principal, dueIn, issuedAfter, limitedAfter, ...terms }) => {
      const dueDay = addDays('2026-12-01', dueIn)
      const issued = addDays(dueDay, issuedAfter)
      const lastDay = limitedAfter === null ? null : addDays(issued, Math.max(0, limitedAfter))
      const invoice = {
        ...terms,
        amount: principal,
        status: 'CLOSED' as const,
        dueDate: noonOf(dueDay),
        lateFrom: null,
        lateOn: lateDayOf(dueDay),
        open: { principal, fine: 0, interest: 0, countedTo: null },
        paymentLimitDate: lastDay === null ? null : noonOf(lastDay),
        acceptedMethods: ALL_METHODS,
      }
      const demandedOn = (day: string) => lateChargesOf(invoice, noonOf(day)).payableAmount
      const pix = pixTermsOf(invoice, noonOf(issued))
      const body: unknown = JSON.parse(JSON.stringify(chargeBody(charge(pix), 0)))
      if (pix.dueDay === null) {
        seen.immediate += 1
        const { valor } = cobBody.parse(body)
        return centsOf(valor.original) === demandedOn(issued) && pix.payableUntil === issued
      }
      const taken = cobVBody.parse(body)
      if (cobVViolations(taken, noonOf(issued)).length > 0) return false
      if (pix.dueDay !== dueDay) seen.moved += 1
      if (lastPayableDay(taken.calendario) !== pix.payableUntil) return false
      if (lastDay !== null && pix.payableUntil > lastDay) return false
      for (let day = issued; day <= pix.payableUntil; day = addDays(day, 1)) {
        const demanded = demandedOn(day)
        if (demanded > principal) seen.late += 1
        if (demanded < principal) seen.early += 1
        if (dueOn(taken, day).total !== demanded || pixAskedOn(pix, day) !== demanded) return false
      }
      return true
    }),
    { numRuns: 4_000 },
  )
  expect(seen.early).toBeGreaterThan(5_000)
  expect(seen.late).toBeGreaterThan(10_000)
  expect(seen.immediate).toBeGreaterThan(500)
  expect(seen.moved).toBeGreaterThan(500)
})
