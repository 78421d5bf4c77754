import { DisputeStage, DisputeStatus, type Dispute } from '@cofre/proto/orders/v1/disputes'
import { z } from 'zod'
import { cents, enumNames, epochMs } from '../schema'

export const disputeStatus = enumNames('DisputeStatus', DisputeStatus)
const disputeStage = enumNames('DisputeStage', DisputeStage)

const day = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .meta({ format: 'date' })

const evidenceSchema = z
  .object({
    fileName: z.string(),
    contentType: z.string(),
    size: z.int().meta({ description: 'Bytes.' }),
    reason: z.string().meta({ description: 'Your words to the issuer.' }),
    submittedAt: epochMs(),
  })
  .meta({ id: 'DisputeEvidence' })

const historyEntrySchema = z
  .object({
    at: epochMs(),
    status: disputeStatus.schema,
    stage: disputeStage.schema,
    text: z.string().nullable().meta({
      description: 'The words of the acquirer, in Portuguese. null: it said nothing, or you did it.',
    }),
    amount: cents().meta({ description: 'Of the case at that moment. Cents of BRL.' }),
    answeredBy: z.string().nullable().meta({ description: 'Who answered, when this was your answer.' }),
    fileName: z.string().nullable().meta({ description: 'The file of your answer.' }),
  })
  .meta({ id: 'DisputeHistoryEntry' })

const acquirerSchema = z
  .object({
    caseId: z.string(),
    disputeId: z.string().meta({ description: 'Each stage of a case has another one.' }),
    tid: z.string().nullable(),
    nsu: z.string().nullable(),
    authorizationCode: z.string().nullable(),
  })
  .meta({ id: 'DisputeAcquirer', description: 'How the acquirer names the case and its sale.' })

const OPENED_AT = 1_767_279_600_000

/** Sample events use it: `sampleEvent` blanks members by name. */
const DISPUTE_EXAMPLE = {
  id: 41,
  chargeId: 981,
  payment: 0,
  orderReference: 'A-1',
  status: 'NEEDS_RESPONSE',
  stage: 'CHARGEBACK',
  amount: 10_000,
  withdrawnAmount: 10_000,
  reason: { code: '104', brand: 'VISA', text: 'Outra fraude: cartão ausente' },
  respondBy: '2026-01-12',
  card: { brand: 'VISA', lastFour: '1111' },
  evidence: null,
  answering: false,
  history: [
    {
      at: OPENED_AT,
      status: 'NEEDS_RESPONSE',
      stage: 'CHARGEBACK',
      text: null,
      amount: 10_000,
      answeredBy: null,
      fileName: null,
    },
  ],
  acquirer: {
    caseId: '49701065',
    disputeId: '20451',
    tid: '1006993069000509C28A',
    nsu: '492115',
    authorizationCode: '123456',
  },
  openedAt: OPENED_AT,
  updatedAt: OPENED_AT,
} as const

/** A dispute as reads, answers and events show it. */
export const disputeSchema = z
  .object({
    id: z.int(),
    chargeId: z.int().nullable().meta({
      description: 'null: Cofre knows no charge of yours that is the sale. `acquirer` helps to find it.',
    }),
    payment: z.int().meta({ description: 'The index of its payment in the payments of the charge, from 0.' }),
    orderReference: z.string().nullable(),
    status: disputeStatus.schema,
    stage: disputeStage.schema,
    amount: cents(),
    withdrawnAmount: cents().meta({
      description:
        'Cents of BRL that the acquirer has taken back at this moment: 0 once you won, or when nothing was taken. What an earlier stage took for good stays in it.',
    }),
    reason: z
      .object({
        code: z.string().meta({ description: 'The code of the card brand.' }),
        brand: z.string(),
        text: z.string().meta({ description: 'The words of the acquirer, in Portuguese.' }),
      })
      .meta({ id: 'DisputeReason' }),
    respondBy: day().nullable().meta({
      format: 'date',
      description: 'The last day for your answer, in America/Sao_Paulo. null: there is none.',
    }),
    card: z.object({ brand: z.string(), lastFour: z.string() }).meta({ id: 'DisputedCard' }),
    evidence: evidenceSchema
      .nullable()
      .meta({ description: 'What you contested this stage with. null: nothing yet.' }),
    answering: z.boolean().meta({
      description:
        'Your answer left, and Cofre is finding out whether the acquirer has it. Do not answer again.',
    }),
    history: z.array(historyEntrySchema).meta({ description: 'The oldest first, at most 100.' }),
    acquirer: acquirerSchema,
    openedAt: epochMs().meta({ description: 'When Cofre learned of it. Epoch milliseconds.' }),
    updatedAt: epochMs(),
  })
  .meta({ id: 'Dispute', examples: [DISPUTE_EXAMPLE] })

export type DisputeJson = z.output<typeof disputeSchema>

export function presentDispute(dispute: Dispute): DisputeJson {
  const { reason, evidence } = dispute
  return {
    id: dispute.id,
    chargeId: dispute.chargeId ?? null,
    payment: dispute.payment,
    orderReference: dispute.orderReference ?? null,
    status: disputeStatus.nameOf(dispute.status),
    stage: disputeStage.nameOf(dispute.stage),
    amount: dispute.amount,
    withdrawnAmount: dispute.withdrawnAmount,
    reason: { code: reason?.code ?? '', brand: reason?.brand ?? '', text: reason?.text ?? '' },
    respondBy: dispute.respondBy || null,
    card: { brand: dispute.brand, lastFour: dispute.lastFour },
    evidence: evidence ?? null,
    answering: dispute.answering,
    history: dispute.history.map(({ at, amount, ...entry }) => ({
      at,
      status: disputeStatus.nameOf(entry.status),
      stage: disputeStage.nameOf(entry.stage),
      text: entry.text || null,
      amount,
      answeredBy: entry.answeredBy || null,
      fileName: entry.fileName || null,
    })),
    acquirer: {
      caseId: dispute.acquirerCaseId,
      disputeId: dispute.acquirerDisputeId,
      tid: dispute.tid || null,
      nsu: dispute.nsu || null,
      authorizationCode: dispute.authorizationCode || null,
    },
    openedAt: dispute.openedAt,
    updatedAt: dispute.updatedAt,
  }
}
