import type { DisputeCase } from '../../src/acquirer/dispute-cases'
import { adoptCase } from '../../src/disputes/adopt-case'
import { requestAnswer } from '../../src/disputes/answer'
import type { Dispute } from '../../src/disputes/dispute'
import { TERMS } from './charges'

export const AT = Date.parse('2026-02-09T15:00:00Z')
export const FOUND: DisputeCase = {
  caseId: '7',
  disputeId: '70',
  stage: 'CHARGEBACK',
  amount: 1_000,
  respondBy: '2026-02-19',
  reason: { code: '104', brand: 'VISA', text: 'Fraude' },
  sale: { tid: 't', nsu: '1', authorizationCode: 'a', day: null, brand: 'VISA', lastFour: '1111' },
  state: 'open',
  answered: null,
  text: '',
}
export const UNSEEN: Dispute = {
  id: 1,
  sellerId: 1,
  establishmentId: 1,
  chargeId: 1,
  position: 0,
  status: 'NEEDS_RESPONSE',
  stage: 'CHARGEBACK',
  amount: 1_000,
  withdrawnAmount: 0,
  reason: FOUND.reason,
  respondBy: null,
  caseId: '7',
  acquirerDisputeId: '70',
  tid: '',
  nsu: '',
  authorizationCode: '',
  brand: '',
  lastFour: '',
  evidence: null,
  history: [],
  answer: null,
  askAt: null,
  dueAt: null,
  reminded: false,
  version: 0,
  sequence: 0,
  createdAt: AT,
  updatedAt: AT,
  orderReference: null,
  notificationUrl: null,
}

export function seen(changes: Partial<DisputeCase> = {}, from = UNSEEN): Dispute {
  return adoptCase(from, { ...FOUND, ...changes }, AT)?.dispute ?? from
}

export const contested = (): Dispute => {
  const evidence = { fileName: 'a.pdf', contentType: 'application/pdf', size: 9, reason: 'r' }
  return requestAnswer(seen(), { kind: 'CONTEST', by: 'a@b.c', evidence }, TERMS).dispute
}
