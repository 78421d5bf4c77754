import { z } from 'zod'
import type { Payment } from '../acquirer/payment'
import { dayAt, dayNumber } from '../bank/bank-calendar'
import type { Chargeback } from './chargeback'
import { brandCodeOf, establishmentOf, processCodeOf } from './chargeback-answer'
import { refused } from './chargeback-refusal'

const PAGE_SIZE_MAX = 200
const DAYS_MAX = 180

// The manual shows ids as numbers and as texts.
const id = z.union([z.string(), z.number()]).transform(String)
const day = z.iso.date()
const filter = z.object({
  startNotificationPeriod: day.optional(),
  endNotificationPeriod: day.optional(),
  cardAssociationCode: z.coerce.number().optional(),
  process: z.array(z.coerce.number()).optional(),
  reason: z.array(id).optional(),
  establishmentNumber: z.array(id).optional(),
  mainCustomer: id.optional(),
  hierarchyType: z.coerce.number().optional(),
  idCase: id.optional(),
  tid: z
    .string()
    .regex(/^[A-Za-z0-9]{1,20}$/)
    .optional(),
  nsu: id.optional(),
})

const paging = z.object({
  page: z.coerce.number().int().min(0).default(0),
  pageSize: z.coerce.number().int(),
  orderBy: z.enum(['receptionDate', 'treatmentDeadline']).default('receptionDate'),
  order: z.enum(['asc', 'desc']).default('asc'),
})

type Found = { chargeback: Chargeback; payment: Payment }

/** Reads a request for a list. Throws with the code that the API has for what is wrong. */
export function readList(body: unknown, query: unknown, isDone: boolean) {
  const asked = filter.safeParse(body)
  const paged = paging.safeParse(query)
  if (!asked.success || !paged.success) throw refused('900', 400)
  const {
    startNotificationPeriod: from,
    endNotificationPeriod: to,
    establishmentNumber,
    mainCustomer,
  } = asked.data
  const { pageSize } = paged.data
  if (pageSize < 1 || pageSize > PAGE_SIZE_MAX) throw refused('138')
  if (!establishmentNumber?.length && mainCustomer === undefined) throw refused('909')
  if (isDone && (from === undefined || to === undefined)) throw refused('900', 400)
  if (from !== undefined && to !== undefined && dayNumber(to) - dayNumber(from) > DAYS_MAX)
    throw refused('906')
  return { filter: asked.data, ...paged.data }
}

type Asked = ReturnType<typeof readList>

export function matches({ filter: asked }: Asked, { chargeback, payment }: Found): boolean {
  const received = dayAt(chargeback.receivedAt)
  const establishment = String(establishmentOf(payment.merchantId))
  const isIn = <T>(value: T, wanted: readonly T[] | undefined) => !wanted?.length || wanted.includes(value)
  const is = <T>(value: T, wanted: T | undefined) => wanted === undefined || wanted === value
  return (
    received >= (asked.startNotificationPeriod ?? '') &&
    received <= (asked.endNotificationPeriod ?? '9999') &&
    isIn(establishment, asked.establishmentNumber) &&
    is(establishment, asked.mainCustomer) &&
    is(brandCodeOf(payment), asked.cardAssociationCode) &&
    isIn(processCodeOf(chargeback), asked.process) &&
    isIn(chargeback.reasonCode, asked.reason) &&
    is(chargeback.idCase, asked.idCase) &&
    is(payment.tid, asked.tid) &&
    is(Number(payment.proofOfSale), asked.nsu === undefined ? undefined : Number(asked.nsu))
  )
}

/** The page of the matches that is asked for, in the order that is asked for. */
export function pageOf({ page, pageSize, orderBy, order }: Asked, found: readonly Found[]): Found[] {
  const key = ({ chargeback }: Found) =>
    orderBy === 'receptionDate' ? chargeback.receivedAt : dayNumber(chargeback.deadline)
  const sign = order === 'asc' ? 1 : -1
  const sorted = found.toSorted(
    (one, other) =>
      sign *
      (key(one) - key(other) || Number(one.chargeback.idChargeback) - Number(other.chargeback.idChargeback)),
  )
  return sorted.slice(page * pageSize, (page + 1) * pageSize)
}
