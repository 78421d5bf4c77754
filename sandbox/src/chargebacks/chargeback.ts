import { dayAt, dayNumber, isClosed, textOf } from '../bank/bank-calendar'

export const STAGES = ['RETRIEVAL', 'FIRST', 'SECOND', 'ARBITRATION'] as const
export type Stage = (typeof STAGES)[number]

export type Status = 'PENDING' | 'ACCEPTED' | 'REFUSED' | 'EXPIRED' | 'WON' | 'LOST'

const NEXT: Record<Status, readonly Status[]> = {
  PENDING: ['ACCEPTED', 'REFUSED', 'EXPIRED', 'WON', 'LOST'],
  REFUSED: ['WON', 'LOST'],
  ACCEPTED: [],
  EXPIRED: [],
  WON: [],
  LOST: [],
}

/** The life cycle in the acquirer's words. */
const WORDS: Record<Status, string> = {
  PENDING: 'Em análise com o Cliente',
  REFUSED: 'Em análise com o Emissor',
  ACCEPTED: 'A favor do Emissor',
  EXPIRED: 'A favor do Emissor',
  LOST: 'A favor do Emissor',
  WON: 'A favor do Estabelecimento',
}

/** An answer that reached the acquirer, with the code that it got. `at`: epoch milliseconds. */
export type ReceivedAnswer = { kind: 'ACCEPT' | 'REFUSE'; code: string; userName: string; at: number }

/** A stage of a case: another stage has another `idChargeback`, and the same `idCase`. The amount is in cents. */
export type Chargeback = {
  readonly idCase: string
  readonly idChargeback: string
  readonly merchantId: string
  readonly paymentId: string
  readonly stage: Stage
  readonly status: Status
  readonly amount: number
  readonly reasonCode: string
  readonly receivedAt: number
  /** The last day for an answer, YYYY-MM-DD. */
  readonly deadline: string
  readonly steps: readonly { action: string; at: number }[]
  readonly answers: readonly ReceivedAnswer[]
  /** The seller's defence. Its bytes are in the book. */
  readonly document: { name: string; at: number } | null
}

type Opened = Omit<Chargeback, 'status' | 'deadline' | 'steps' | 'answers' | 'document'> & {
  daysToAnswer: number
}

export function openChargeback({ daysToAnswer, ...opened }: Opened): Chargeback {
  return {
    ...opened,
    status: 'PENDING',
    deadline: afterBusinessDays(dayAt(opened.receivedAt), daysToAnswer),
    steps: [{ action: WORDS.PENDING, at: opened.receivedAt }],
    answers: [],
    document: null,
  }
}

export function isTreated({ status }: Chargeback): boolean {
  return status !== 'PENDING'
}

export function mayBecome({ status }: Chargeback, next: Status): boolean {
  return NEXT[status].includes(next)
}

export function become(chargeback: Chargeback, status: Status, at: number): Chargeback {
  if (!mayBecome(chargeback, status))
    throw new Error(`a ${chargeback.status} chargeback cannot become ${status}`)
  return { ...chargeback, status, steps: [...chargeback.steps, { action: WORDS[status], at }] }
}

/** The chargeback at a moment: once its last day is over, it expires. */
export function asOf(chargeback: Chargeback, now: number): Chargeback {
  const isLate = chargeback.status === 'PENDING' && dayAt(now) > chargeback.deadline
  return isLate ? become(chargeback, 'EXPIRED', now) : chargeback
}

/** How many days banks are open after `from`, up to and with `to`. */
export function businessDaysBetween(from: string, to: string): number {
  let count = 0
  for (let day = dayNumber(from) + 1; day <= dayNumber(to); day += 1) if (!isClosed(day)) count += 1
  return count
}

function afterBusinessDays(from: string, days: number): string {
  let day = dayNumber(from)
  for (let left = days; left > 0; day += 1) if (!isClosed(day + 1)) left -= 1
  return textOf(day)
}
