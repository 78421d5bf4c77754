import type { DisputeJson } from '@cofre/api/disputes/dispute'
import { thing, type Action, type Block } from '../desk/thing'
import type { Word } from '../words/portuguese'
import { day, link, reais, reaisIfAny, time, word, type Badge, type Value } from '../words/value'
import { cardWords } from '../words/card-words'

export const DISPUTE_STATUSES: Record<DisputeJson['status'], Badge> = {
  NEEDS_RESPONSE: { text: 'Needs your answer', mood: 'bad' },
  UNDER_REVIEW: { text: 'The issuer decides', mood: 'waiting' },
  WON: { text: 'Won', mood: 'good' },
  LOST: { text: 'Lost', mood: 'quiet' },
  ACCEPTED: { text: 'Accepted', mood: 'quiet' },
  EXPIRED: { text: 'Nobody answered', mood: 'quiet' },
}

const STAGES: Record<DisputeJson['stage'], Word> = {
  INQUIRY: 'Inquiry',
  CHARGEBACK: 'Chargeback',
  SECOND_CHARGEBACK: 'Second chargeback',
  PRE_COMPLIANCE: 'Pre-compliance',
  COMPLIANCE: 'Compliance',
  ARBITRATION: 'Arbitration',
}

const mayAnswer = ({ status, answering }: DisputeJson) => status === 'NEEDS_RESPONSE' && !answering

const contest: Action<DisputeJson> = {
  operation: 'submitDisputeEvidence',
  name: 'evidence',
  label: 'Defend the sale',
  leads: true,
  applies: mayAnswer,
  says: ({ respondBy }) =>
    respondBy === null
      ? word('You have one answer for this stage: a file and your words to the issuer.')
      : word('You have one answer for this stage, until {day}: a file and your words to the issuer.', {
          day: day(respondBy),
        }),
  fields: () => [
    {
      name: 'reason',
      label: 'Your words to the issuer',
      kind: 'text',
      required: true,
      hint: word('In Portuguese, at most 100 characters.'),
    },
    {
      name: 'file',
      label: 'File',
      kind: 'file',
      required: true,
      accepts: ['application/pdf', 'image/jpeg', 'image/tiff'],
      hint: word(
        'One PDF, JPEG or TIFF of at most 8 MB and 10 pages, without card numbers. Save a PNG, such as a screenshot, as PDF or JPEG first.',
      ),
    },
  ],
  done: 'Your answer went to the acquirer.',
}

const accept: Action<DisputeJson> = {
  operation: 'acceptDispute',
  name: 'accept',
  label: 'Accept the dispute',
  danger: true,
  applies: mayAnswer,
  says: ({ stage, amount }) =>
    stage === 'INQUIRY'
      ? word('The inquiry took no money: accepting it only ends it.')
      : word('You give {sum} up for good. You cannot undo this.', { sum: reais(amount) }),
  done: 'The dispute was accepted.',
}

/** What happened, and what each answer leads to. */
function whatNow(dispute: DisputeJson): Pick<Block, 'alert'> {
  const { status, answering, withdrawnAmount } = dispute
  if (answering || status === 'UNDER_REVIEW') {
    return {
      alert: {
        isCalm: true,
        title: word('Your answer is on its way to the card’s bank, which decides.'),
        text: word('No day is set for its decision. It appears here, and nothing else is asked of you now.'),
      },
    }
  }
  if (status !== 'NEEDS_RESPONSE') return {}
  const happened: Value =
    withdrawnAmount > 0
      ? word('The card holder disputed this charge at the bank, and {sum} was taken from your receivables.', {
          sum: reais(withdrawnAmount),
        })
      : word('The card holder’s bank asks about this charge. No money was taken.')
  return {
    alert: {
      title: happened,
      text: word(HOW_TO_ANSWER),
      ...(withdrawnAmount > 0 && {
        warning: word('Do not refund the charge as well: the customer would get the money twice.'),
      }),
    },
  }
}

const HOW_TO_ANSWER =
  'If the sale is right, defend it: send one file with the proof, such as the fiscal note, the proof of delivery and what the customer wrote. If the customer is right, accept the dispute. Without an answer in time, it is lost.'

export const disputes = thing<DisputeJson, DisputeJson>({
  name: 'disputes',
  many: 'Disputes',
  none: 'No card holder has disputed a payment.',
  list: 'listDisputes',
  read: 'getDispute',
  filters: [
    {
      name: 'status',
      label: 'Status',
      kind: 'choice',
      options: Object.entries(DISPUTE_STATUSES).map(([name, { text }]) => [name, text]),
    },
    { name: 'respondByTo', label: 'Answer by', kind: 'day' },
    { name: 'openedFrom', label: 'From', kind: 'day' },
    { name: 'openedTo', label: 'To', kind: 'day' },
  ],
  columns: [
    { name: 'Opened', of: ({ openedAt }) => time(openedAt) },
    { name: 'Dispute', of: ({ id }) => String(id), leads: true },
    { name: 'Card', of: ({ card }) => cardWords(card) },
    { name: 'Stage', of: ({ stage }) => word(STAGES[stage]) },
    { name: 'Status', of: ({ status }) => ({ badge: DISPUTE_STATUSES[status] }) },
    {
      name: 'Answer by',
      of: ({ respondBy, status }) => (status === 'NEEDS_RESPONSE' ? day(respondBy) : null),
    },
    { name: 'Amount', of: ({ amount }) => reais(amount), number: true },
  ],
  heading: ({ id }) => word('Dispute {id}', { id: String(id) }),
  page: (dispute) => ({
    badge: DISPUTE_STATUSES[dispute.status],
    total: reais(dispute.amount),
    blocks: [
      {
        ...whatNow(dispute),
        facts: [
          ['Answer by', dispute.status === 'NEEDS_RESPONSE' ? day(dispute.respondBy) : null],
          ['Stage', word(STAGES[dispute.stage])],
          ['Taken back', reaisIfAny(dispute.withdrawnAmount)],
          ['Reason', `${dispute.reason.text} (${dispute.reason.brand} ${dispute.reason.code})`],
          ['Card', cardWords(dispute.card)],
          ['Charge', dispute.chargeId && link(`/charges/${dispute.chargeId}`, String(dispute.chargeId))],
          ['Order reference', dispute.orderReference],
          ['Your file', dispute.evidence?.fileName ?? null],
          ['Your words to the issuer', dispute.evidence?.reason ?? null],
          ['Case', dispute.acquirer.caseId],
          ['NSU', dispute.acquirer.nsu],
          ['TID', dispute.acquirer.tid],
          ['Authorization code', dispute.acquirer.authorizationCode],
        ],
      },
      {
        title: word('Timeline'),
        timeline: dispute.history.map(({ at, status, stage, text, amount, answeredBy, fileName }) => ({
          what: word(STAGES[stage]),
          amount: reais(amount),
          badge: DISPUTE_STATUSES[status],
          at: time(at),
          note: text ?? [answeredBy, fileName].filter((each) => each !== null),
        })),
      },
    ],
  }),
  actions: [contest, accept],
})
