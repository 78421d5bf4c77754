import type { Payment } from '../acquirer/payment'
import { brazilTime } from '../acquirer/brazil-time'
import { dayAt } from '../bank/bank-calendar'
import { businessDaysBetween, isTreated, type Chargeback, type Stage } from './chargeback'

const BRANDS: Readonly<Record<string, [number, string]>> = {
  Visa: [1, 'VISA'],
  Master: [2, 'MASTERCARD'],
  Amex: [3, 'AMEX'],
  Elo: [7, 'ELO'],
  Hipercard: [40, 'HIPERCARD'],
}
const PROCESSES: Record<Stage, [number, string]> = {
  FIRST: [1, 'PRIMEIRO_CHARGEBACK'],
  RETRIEVAL: [2, 'COBRANCA_AMIGAVEL'],
  SECOND: [3, 'SEGUNDO_CHARGEBACK'],
  ARBITRATION: [15, 'ARBITRAGEM'],
}
const REASONS: Readonly<Record<string, string>> = {
  '104': 'Outra fraude: cartão ausente',
  '126': 'Processamento duplicado',
  '131': 'Mercadoria ou serviço não recebido',
  '133': 'Mercadoria diferente do anunciado',
  '137': 'Mercadoria ou serviço cancelado',
}

/** The ten digits by which Cielo knows the merchant: of a MerchantId always the same. */
export function establishmentOf(merchantId: string): number {
  return 1_000_000_000 + Number.parseInt(merchantId.slice(0, 8), 16)
}

export function brandCodeOf({ sale }: Payment): number {
  return BRANDS[sale.card.brand]?.[0] ?? 0
}

export function processCodeOf({ stage }: Chargeback): number {
  return PROCESSES[stage][0]
}

export function reasonText({ reasonCode }: Chargeback): string {
  return REASONS[reasonCode] ?? 'Outro motivo'
}

/** A case as the API and its webhook show it. Amounts are reais; JSON leaves out what is undefined. */
export function presentCase(chargeback: Chargeback, payment: Payment, now: number) {
  const { sale } = payment
  const { action, at } = chargeback.steps.at(-1) ?? { action: '', at: now }
  const [cardAssociation, cardAssociationName] = BRANDS[sale.card.brand] ?? [0, sale.card.brand.toUpperCase()]
  const answer = chargeback.answers.find(({ code }) => code === '101' || code === '102')
  return {
    idCase: Number(chargeback.idCase),
    idChargeback: Number(chargeback.idChargeback),
    establishmentNumber: establishmentOf(payment.merchantId),
    process: PROCESSES[chargeback.stage][1],
    treatmentDeadline: chargeback.deadline,
    remainingDaysToTreat: isTreated(chargeback)
      ? undefined
      : businessDaysBetween(dayAt(now), chargeback.deadline),
    transactionAmount: chargeback.amount / 100,
    lifecycle: { action, actionDate: dayAt(at) },
    actionTakenCode: answer && (answer.kind === 'ACCEPT' ? 'ACATAR' : 'RECUSAR'),
    transactionDetails: {
      transactionDate: dayAt(payment.receivedAt),
      authorization: payment.authorizationCode ?? undefined,
      cardAssociation,
      cardAssociationName,
      truncatedCard: sale.card.maskedNumber,
      currency: 'REAL',
      nsu: Number(payment.proofOfSale),
      tid: payment.tid,
    },
    chargebackDetails: {
      reasonCode: chargeback.reasonCode,
      reasonDescription: reasonText(chargeback),
      tpReason: chargeback.reasonCode.startsWith('10') ? 'FRAUDE' : 'DESACORDO',
      receptionDate: dayAt(chargeback.receivedAt),
      replyDate: answer && dayAt(answer.at),
      rapidDisputeResolution: 'false',
    },
  }
}

/** `Payment.Chargebacks[]` of a sale's query. The sale's own amounts stay as they are. */
export function presentInSale(chargebacks: readonly Chargeback[]) {
  const lost = chargebacks.filter(({ status }) => ['LOST', 'ACCEPTED', 'EXPIRED'].includes(status))
  return lost.map((chargeback) => ({
    Amount: chargeback.amount,
    CaseNumber: chargeback.idCase,
    Date: brazilTime(chargeback.receivedAt),
    ReasonCode: chargeback.reasonCode,
    ReasonMessage: reasonText(chargeback),
    Status: 'Received',
  }))
}

/** A chargeback as the controls show it. */
export function presentTruth(chargeback: Chargeback, payment: Payment | undefined) {
  const { merchantId, ...rest } = chargeback
  return {
    ...rest,
    merchantId,
    establishmentNumber: establishmentOf(merchantId),
    merchantOrderId: payment?.sale.merchantOrderId ?? null,
    tid: payment?.tid ?? null,
  }
}
