import type { DisputeCase } from '../../src/acquirer/dispute-cases'
import { adoptCase } from '../../src/disputes/adopt-case'
import { recordAnswer } from '../../src/disputes/answer'
import type { Dispute } from '../../src/disputes/dispute'
import { passDeadline } from '../../src/disputes/pass-deadline'
import { expiresAt } from '../../src/disputes/transition'
import { TERMS } from './charges'
import { AT, contested, FOUND, seen, UNSEEN } from './disputes'

test.each<[Partial<DisputeCase>, string[], Partial<Dispute>]>([
  [{}, ['dispute.opened'], { status: 'NEEDS_RESPONSE', withdrawnAmount: 1_000 }],
  [{ stage: 'INQUIRY' }, ['dispute.opened'], { withdrawnAmount: 0 }],
  [{ state: 'won' }, ['dispute.opened', 'dispute.won'], { status: 'WON', withdrawnAmount: 0 }],
  [{ state: 'lost' }, ['dispute.opened', 'dispute.lost'], { status: 'EXPIRED' }],
  [{ state: 'lost', answered: 'ACCEPT' }, ['dispute.opened', 'dispute.lost'], { status: 'ACCEPTED' }],
  [{ state: 'lost', answered: 'CONTEST' }, ['dispute.opened', 'dispute.lost'], { status: 'LOST' }],
  [{ state: 'review' }, ['dispute.opened'], { status: 'UNDER_REVIEW', withdrawnAmount: 1_000 }],
  [{ state: 'treated' }, ['dispute.opened', 'dispute.lost'], { status: 'EXPIRED' }],
  [{ state: 'treated', answered: 'CONTEST' }, ['dispute.opened'], { status: 'UNDER_REVIEW' }],
])('a case seen first as %j', (changes, events, expected) => {
  const decision = adoptCase(UNSEEN, { ...FOUND, ...changes }, AT)
  expect(decision).toMatchObject({ events, dispute: { ...expected, sequence: events.length, version: 1 } })
  expect(decision?.dispute.history).toHaveLength(1)
})

test('a case that says nothing new changes nothing; its words alone are no news', () => {
  expect(adoptCase(seen(), FOUND, AT)).toBeUndefined()
  expect(adoptCase(seen(), { ...FOUND, text: 'Em análise' }, AT)).toBeUndefined()
  expect(adoptCase(seen(), { ...FOUND, amount: 900 }, AT)).toMatchObject({
    events: ['dispute.updated'],
    dispute: { amount: 900, withdrawnAmount: 900 },
  })
})

test('a list that was read before our answer arrived does not open the case again; a later stage does', () => {
  const reviewed = seen({ state: 'review' })
  expect(adoptCase(reviewed, FOUND, AT)).toBeUndefined()
  const won = seen({ state: 'won' }, reviewed)
  expect(adoptCase(won, { ...FOUND, disputeId: '71', stage: 'ARBITRATION' }, AT)).toMatchObject({
    events: ['dispute.opened'],
    dispute: { status: 'NEEDS_RESPONSE', withdrawnAmount: 1_000, reminded: false },
  })
})

test('an answer under way ends with what the acquirer has, and loses its file when that is another answer', () => {
  const pending = contested()
  expect(adoptCase(pending, FOUND, AT)).toBeUndefined()
  expect(adoptCase(pending, { ...FOUND, state: 'review' }, AT)).toMatchObject({
    dispute: { status: 'UNDER_REVIEW', answer: null, askAt: null, evidence: { fileName: 'a.pdf' } },
    marks: { answered: ['operation'], freed: [] },
  })
  expect(adoptCase(pending, { ...FOUND, state: 'lost', answered: 'ACCEPT' }, AT)).toMatchObject({
    dispute: { status: 'ACCEPTED', answer: null, evidence: null },
  })
})

test('the reminder is due three business days before the last day, over Carnival; then the end, five days after it', () => {
  const open = seen()
  // 2026-02-16 and 17 are Carnival: 18, 13 and 12 are the three business days before the 19th.
  expect(open.dueAt).toBe(Date.parse('2026-02-12T03:00:00Z'))
  const reminded = passDeadline(open, open.dueAt ?? 0)
  expect(reminded).toMatchObject({ events: ['dispute.response_due'], dispute: { reminded: true } })
  expect(reminded?.dispute.dueAt).toBe(Date.parse('2026-02-25T03:00:00Z'))
  const late = expiresAt('2026-02-19')
  expect(passDeadline(open, late - 1)?.dispute.status).toBe('NEEDS_RESPONSE')
  expect(passDeadline(open, late)).toMatchObject({
    events: ['dispute.lost'],
    dispute: { status: 'EXPIRED', dueAt: null },
  })
  expect(passDeadline(contested(), late)).toBeUndefined()
  expect(passDeadline(seen({ state: 'won' }), late)).toBeUndefined()
})

test.each([
  [
    'done',
    true,
    { status: 'UNDER_REVIEW', answer: null },
    { answered: ['operation'], freed: [] },
    ['dispute.updated'],
  ],
  ['not_sent', true, { answer: null, evidence: null }, { answered: [], freed: ['operation'] }, []],
  ['busy', true, { answer: null, evidence: null }, { answered: [], freed: ['operation'] }, []],
  ['unknown', true, { askAt: TERMS.firstAskAt }, { answered: ['operation'], freed: [] }, []],
  ['answered_before', true, { askAt: AT }, { answered: ['operation'], freed: [] }, []],
  ['unknown', false, { askAt: TERMS.firstAskAt }, { answered: [], freed: [] }, []],
  ['not_sent', false, { askAt: TERMS.firstAskAt }, { answered: [], freed: [] }, []],
] as const)('an answer that is %s (first: %s)', (result, isFirst, dispute, marks, events) => {
  const pending = contested()
  const { answer } = pending
  if (!answer) throw new Error('no answer')
  const decision = recordAnswer(pending, { answer, outcome: { result }, isFirst }, AT)
  expect(decision).toMatchObject({ dispute, marks, events })
})

test('an answer that the acquirer refuses later is told of; one that ended meanwhile changes nothing', () => {
  const pending = contested()
  const { answer } = pending
  if (!answer) throw new Error('no answer')
  const refused = { answer, outcome: { result: 'refused', code: '903' } as const, isFirst: false }
  expect(recordAnswer(pending, refused, AT)).toMatchObject({
    events: ['dispute.updated'],
    dispute: { status: 'NEEDS_RESPONSE', answer: null, evidence: null },
  })
  const ended = seen({ state: 'review' }, pending)
  expect(recordAnswer(ended, refused, AT)).toMatchObject({ events: [], dispute: { status: 'UNDER_REVIEW' } })
})
