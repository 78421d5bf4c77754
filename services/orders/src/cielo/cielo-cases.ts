import { isDay } from '@cofre/platform/calendar-day'
import { readJson } from '@cofre/platform/outbound/partner-answers'
import { cutTo } from '@cofre/platform/partner-text'
import { z } from 'zod'
import type { DisputeCase, DisputeStage, LatestStep } from '../acquirer/dispute-cases'

// Cielo's samples send ids as numbers and as text, and leave out what they do not know.
const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value?.trim() ?? '')
const day = text.transform((value) => (isDay(value.slice(0, 10)) ? value.slice(0, 10) : null))
/** Reais with decimals. Cents are read from the text: a product of a fraction may not be whole. */
const reais = text.pipe(z.string().regex(/^\d{1,9}([.,]\d{1,2})?$/)).transform((value) => {
  const [whole = '', part = ''] = value.split(/[.,]/)
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
})
const id = text.pipe(z.string().regex(/^[\w-]{1,40}$/))

const step = z.object({ action: text })
const row = z.object({
  idCase: id,
  idChargeback: id,
  process: text,
  treatmentDeadline: day,
  transactionAmount: reais,
  actionTakenCode: text,
  lifecycle: step.nullish().catch(undefined),
  transactionDetails: z.object({
    transactionDate: day,
    authorization: text,
    cardAssociation: text,
    cardAssociationName: text,
    truncatedCard: text,
    nsu: text,
    tid: text,
  }),
  chargebackDetails: z.object({ reasonCode: text, reasonDescription: text, reasonMessage: text }),
})
type Row = z.output<typeof row>

/** The manual shows a list alone, and one in an object. */
const page = z.union([
  z.array(z.unknown()),
  z.object({ content: z.array(z.unknown()) }).transform((all) => all.content),
])

const STAGES: Readonly<Record<string, DisputeStage>> = {
  '1': 'CHARGEBACK',
  '2': 'INQUIRY',
  '3': 'SECOND_CHARGEBACK',
  '13': 'PRE_COMPLIANCE',
  '15': 'ARBITRATION',
  '16': 'COMPLIANCE',
  PRIMEIRO_CHARGEBACK: 'CHARGEBACK',
  COBRANCA_AMIGAVEL: 'INQUIRY',
  SEGUNDO_CHARGEBACK: 'SECOND_CHARGEBACK',
  PRE_COMPLIANCE: 'PRE_COMPLIANCE',
  PRE_ARBITRAGEM: 'ARBITRATION',
  ARBITRAGEM: 'ARBITRATION',
  COMPLIANCE: 'COMPLIANCE',
}
const BRANDS: Readonly<Record<string, string>> = {
  '1': 'VISA',
  '2': 'MASTERCARD',
  '3': 'AMEX',
  '7': 'ELO',
  '40': 'HIPERCARD',
}
const TEXT_MAX = 1_000

/** The cases of a page, and how many rows it had; undefined when it is not in a form that we know. */
export function readCases(
  body: Uint8Array,
  list: 'open' | 'treated',
): { cases: DisputeCase[]; rows: number } | undefined {
  const rows = readJson(page, body)
  const read = rows?.map((each) => row.safeParse(each).data)
  // A row that can't be read may be any case: nothing is concluded from such a page.
  if (!read || read.some((each) => each === undefined)) return undefined
  const cases = read.flatMap((each) => (each ? [caseOf(each, list)] : []))
  return { cases, rows: read.length }
}

/** The latest step of a treated case. */
export function readLatestStep(body: Uint8Array): LatestStep {
  const steps = readJson(z.array(step.extend({ actionDate: text })), body)
  if (!steps) return { result: 'unknown' }
  const latest = steps.reduce<(typeof steps)[number] | undefined>(
    (last, each) => (last && last.actionDate > each.actionDate ? last : each),
    undefined,
  )
  return latest ? { result: 'step', state: stateOf(latest.action), text: latest.action } : { result: 'none' }
}

function caseOf(read: Row, list: 'open' | 'treated'): DisputeCase {
  const { transactionDetails: sale, chargebackDetails: why } = read
  const action = read.lifecycle?.action ?? ''
  const brand = BRANDS[sale.cardAssociation] ?? sale.cardAssociationName.toUpperCase()
  return {
    caseId: read.idCase,
    disputeId: read.idChargeback,
    stage: STAGES[plain(read.process)] ?? 'CHARGEBACK',
    amount: read.transactionAmount,
    respondBy: read.treatmentDeadline,
    reason: {
      code: why.reasonCode,
      brand,
      text: cutTo(why.reasonDescription || why.reasonMessage, TEXT_MAX),
    },
    sale: {
      tid: sale.tid,
      nsu: sale.nsu,
      authorizationCode: sale.authorization,
      day: sale.transactionDate,
      brand,
      lastFour: /\d{4}$/.exec(sale.truncatedCard)?.[0] ?? '',
    },
    state: list === 'open' ? 'open' : stateOf(action),
    answered: answeredOf(read.actionTakenCode),
    text: action,
  }
}

/** Words as Cielo spells them elsewhere: capitals without accents. */
function plain(words: string): string {
  const letters = words.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return letters.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
}

/** "A favor do Estabelecimento", "A favor do Emissor", "Em análise com a Cielo". */
function stateOf(action: string): DisputeCase['state'] {
  const words = plain(action)
  if (words.includes('FAVOR_DO_ESTABELECIMENTO')) return 'won'
  if (words.includes('FAVOR_DO_EMISSOR')) return 'lost'
  return words.includes('EM_ANALISE') ? 'review' : 'treated'
}

function answeredOf(code: string): DisputeCase['answered'] {
  const words = plain(code)
  if (words.startsWith('ACAT') || words.startsWith('ACEIT')) return 'ACCEPT'
  return words.startsWith('RECUS') ? 'CONTEST' : null
}
