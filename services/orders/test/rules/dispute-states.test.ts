import { adoptCase } from '../../src/disputes/adopt-case'
import { recordAnswer, repeatAnswer, requestAnswer } from '../../src/disputes/answer'
import type { Dispute } from '../../src/disputes/dispute'
import { passDeadline } from '../../src/disputes/pass-deadline'
import { expiresAt } from '../../src/disputes/transition'
import { TERMS } from './charges'
import { AT, contested, FOUND, seen } from './disputes'

const accepting = () => requestAnswer(seen(), { kind: 'ACCEPT', by: 'a@b.c' }, TERMS).dispute
const reviewed = () => seen({ state: 'review' })
const accepted = () => seen({ state: 'lost', answered: 'ACCEPT' })
const lost = () => seen({ state: 'lost' }, reviewed())
const expired = () => passDeadline(seen(), expiresAt('2026-02-19'))!.dispute
const inquiry = () => seen({ stage: 'INQUIRY' })
const won = () => seen({ state: 'won' })

test.each<[string, () => Dispute, Parameters<typeof seen>[0], string, string[]]>([
  ['accepted, shown as lost', accepted, { state: 'lost' }, 'ACCEPTED', []],
  ['accepted, shown as treated', accepted, { state: 'treated' }, 'ACCEPTED', []],
  ['being accepted, shown as treated', accepting, { state: 'treated' }, 'ACCEPTED', ['dispute.lost']],
  ['being accepted, shown as lost', accepting, { state: 'lost' }, 'ACCEPTED', ['dispute.lost']],
  ['being contested, shown as treated', contested, { state: 'treated' }, 'UNDER_REVIEW', ['dispute.updated']],
  ['being contested, lost without an answer', contested, { state: 'lost' }, 'EXPIRED', ['dispute.lost']],
  [
    'being contested, lost as contested',
    contested,
    { state: 'lost', answered: 'CONTEST' },
    'LOST',
    ['dispute.lost'],
  ],
  [
    'an inquiry that nobody answers',
    inquiry,
    { stage: 'INQUIRY', state: 'lost' },
    'EXPIRED',
    ['dispute.updated'],
  ],
  ['contested, shown as treated', reviewed, { state: 'treated' }, 'UNDER_REVIEW', []],
  ['contested, shown as lost', reviewed, { state: 'lost' }, 'LOST', ['dispute.lost']],
  [
    'contested, lost as contested',
    reviewed,
    { state: 'lost', answered: 'CONTEST' },
    'LOST',
    ['dispute.lost'],
  ],
  [
    'contested, shown as accepted',
    reviewed,
    { answered: 'ACCEPT', state: 'lost' },
    'ACCEPTED',
    ['dispute.lost'],
  ],
  ['lost, shown again', lost, { state: 'lost' }, 'LOST', []],
  ['lost, won after all', lost, { state: 'won' }, 'WON', ['dispute.won']],
  ['lost, shown as accepted', lost, { state: 'lost', answered: 'ACCEPT' }, 'ACCEPTED', ['dispute.updated']],
  ['expired, shown as lost', expired, { state: 'lost' }, 'EXPIRED', []],
  ['expired, shown as treated', expired, { state: 'treated' }, 'EXPIRED', []],
  ['expired, under review after all', expired, { state: 'review' }, 'UNDER_REVIEW', ['dispute.updated']],
  ['won, shown as treated', won, { state: 'treated' }, 'WON', []],
  ['won, treated as contested', won, { state: 'treated', answered: 'CONTEST' }, 'WON', []],
  ['won, with another stage', won, { stage: 'SECOND_CHARGEBACK' }, 'NEEDS_RESPONSE', ['dispute.opened']],
  ['won, with another name', won, { disputeId: '71' }, 'NEEDS_RESPONSE', ['dispute.opened']],
  ['seen, unanswered in the end', seen, { state: 'treated' }, 'EXPIRED', ['dispute.lost']],
])('%s', (_, from, changes, status, events) => {
  const before = from()
  const decision = adoptCase(before, { ...FOUND, ...changes }, AT)
  expect([decision?.dispute.status ?? before.status, decision?.events ?? []]).toEqual([status, events])
})

test('what the acquirer says of a move stands in the history, the newest hundred', () => {
  const moved = adoptCase(reviewed(), { ...FOUND, state: 'won', text: 'Revertido' }, AT)?.dispute
  expect(moved?.history.at(-1)).toMatchObject({
    at: AT,
    status: 'WON',
    stage: 'CHARGEBACK',
    text: 'Revertido',
  })
  const old = { ...reviewed(), history: Array.from({ length: 100 }, () => reviewed().history[0]!) }
  expect(adoptCase(old, { ...FOUND, state: 'won' }, AT)?.dispute.history).toHaveLength(100)
  const changed = adoptCase(reviewed(), { ...FOUND, state: 'review', amount: 900, text: 'Outro valor' }, AT)
  expect(changed?.dispute.history).toEqual(reviewed().history)
})

test.each<[string, () => Dispute, number, number, number]>([
  ['lost', lost, 400, 1_000, 600],
  ['accepted', accepted, 400, 1_000, 600],
  ['expired', expired, 1_500, 1_500, 0],
  ['won', won, 400, 400, 0],
  ['under review', reviewed, 400, 400, 0],
])('a later stage of one that is %s takes nothing back', (_, from, amount, taken, leftWhenWon) => {
  const next = seen({ disputeId: '71', stage: 'ARBITRATION', amount }, from())
  expect(next).toMatchObject({ amount, withdrawnAmount: taken, evidence: null })
  const later = { disputeId: '71', stage: 'ARBITRATION' as const, amount }
  expect(seen({ ...later, state: 'review' }, next).withdrawnAmount).toBe(taken)
  expect(seen({ ...later, state: 'won' }, next).withdrawnAmount).toBe(leftWhenWon)
})

test('the history names who answered, the file, and the amount of the moment', () => {
  const pending = contested()
  const done = { answer: pending.answer!, outcome: { result: 'done' } as const, isFirst: true }
  const { dispute } = recordAnswer(pending, done, AT)
  expect(dispute.history).toMatchObject([
    { status: 'NEEDS_RESPONSE', amount: 1_000, answeredBy: null, fileName: null },
    { status: 'UNDER_REVIEW', amount: 1_000, answeredBy: 'a@b.c', fileName: 'a.pdf' },
  ])
  const own = accepting()
  expect(seen({ state: 'treated' }, own).history.at(-1)).toMatchObject({
    answeredBy: 'a@b.c',
    fileName: null,
  })
  // Somebody gave another answer at the acquirer.
  const other = seen({ state: 'lost', answered: 'ACCEPT' }, pending)
  expect(other.history.at(-1)).toMatchObject({ status: 'ACCEPTED', answeredBy: null, fileName: null })
  const reopened = seen({ disputeId: '71', stage: 'ARBITRATION' }, dispute)
  expect(reopened).toMatchObject({ evidence: null, history: { length: 3 } })
})

test('our own moves have no words of the acquirer', () => {
  const pending = contested()
  const done = recordAnswer(
    pending,
    { answer: pending.answer!, outcome: { result: 'done' }, isFirst: true },
    AT,
  )
  expect(done.dispute.history.at(-1)).toMatchObject({ status: 'UNDER_REVIEW', text: '' })
  expect(expired().history.at(-1)).toMatchObject({ status: 'EXPIRED', text: '' })
})

test('an answer keeps what it was when it leaves once more, until another moment', () => {
  const pending = contested()
  const { dispute, events } = repeatAnswer(pending, pending.answer!, { ...TERMS, deadline: 9_000, at: 8_000 })
  expect(dispute.answer).toEqual({ ...pending.answer, deadline: 9_000 })
  expect([dispute.evidence, dispute.updatedAt, events]).toEqual([pending.evidence, 8_000, []])
})

test('an acceptance has no file: done, it is ACCEPTED; refused later, the dispute is open as before', () => {
  const pending = accepting()
  expect(pending.evidence).toBeNull()
  const about = { answer: pending.answer!, isFirst: false }
  expect(recordAnswer(pending, { ...about, outcome: { result: 'done' } }, AT).dispute.status).toBe('ACCEPTED')
  const kept = { ...pending, evidence: contested().evidence }
  const refused = recordAnswer(kept, { ...about, outcome: { result: 'refused', code: '903' } }, AT)
  expect(refused.dispute).toMatchObject({ status: 'NEEDS_RESPONSE', answer: null, evidence: kept.evidence })
})

test('a case without a last day is due at no time', () => {
  const open = seen({ respondBy: null })
  expect([open.dueAt, passDeadline(open, AT)]).toEqual([null, undefined])
})
