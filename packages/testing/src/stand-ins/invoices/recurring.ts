import { DomainError, notFound } from '@cofre/platform/errors'
import { AdvanceClockResponse, type AdvanceClockRequest } from '@cofre/proto/invoices/v1/clock'
import type { Invoice, NewItem } from '@cofre/proto/invoices/v1/invoices'
import {
  CreatePixPermissionResponse,
  GenerateBoletosResponse,
  RecurringInvoice,
  RecurringInvoiceKind,
  RecurringInvoiceStatus,
  VoidBookletResponse,
  type CreateBookletRequest,
  type CreateRecurringInvoiceRequest,
  type DrawBookletRequest,
  type GetRecurringInvoiceRequest,
  type ListCycleInvoicesRequest,
  type ListRecurringInvoicesRequest,
  type UpdateRecurringInvoiceRequest,
} from '@cofre/proto/invoices/v1/recurring'
import { PixPermission, PixPermissionStatus } from '@cofre/proto/invoices/v1/pix'
import type { Marks } from '../marks'
import { COPY_AND_PASTE, PIX_PUBLIC_ID } from './pix'

const { ACTIVE, PAUSED, FINISHED, CANCELLED } = RecurringInvoiceStatus
const MADE_AT = 1_767_225_600_000

type Asked = {
  create: CreateRecurringInvoiceRequest[]
  booklet: CreateBookletRequest[]
  update: UpdateRecurringInvoiceRequest[]
  list: ListRecurringInvoicesRequest[]
  cycles: ListCycleInvoicesRequest[]
  draw: DrawBookletRequest[]
}

/** Recurring invoices and booklets in memory. They bill no cycle: `invoices` holds the invoices of their cycles. */
export function createRecurring(marks: Marks, invoices: ReadonlyMap<number, Invoice>) {
  const made = new Map<number, RecurringInvoice>()
  const asked: Asked = { create: [], booklet: [], update: [], list: [], cycles: [], draw: [] }
  const find = ({ sellerId, recurringInvoiceId }: GetRecurringInvoiceRequest) => {
    const found = made.get(recurringInvoiceId)
    if (found?.sellerId !== sellerId) throw notFound()
    return found
  }
  const keep = (recurring: RecurringInvoice) => {
    made.set(recurring.id, recurring)
    return recurring
  }
  const move =
    (to: RecurringInvoiceStatus, ...from: RecurringInvoiceStatus[]) =>
    async (request: GetRecurringInvoiceRequest) => {
      const recurring = find(request)
      return marks.once(request.sellerId, RecurringInvoice, () => {
        if (!from.includes(recurring.status)) throw invalidState()
        return keep({ ...recurring, status: to })
      })
    }
  const answers = {
    createRecurringInvoice: async (request: CreateRecurringInvoiceRequest) => {
      asked.create.push(request)
      return marks.once(request.sellerId, RecurringInvoice, () => keep(newRecurring(made.size + 1, request)))
    },
    createBooklet: async (request: CreateBookletRequest) => {
      asked.booklet.push(request)
      return marks.once(request.sellerId, RecurringInvoice, () => keep(newBooklet(made.size + 1, request)))
    },
    getRecurringInvoice: async (request: GetRecurringInvoiceRequest) => find(request),
    getSchedule: async (request: GetRecurringInvoiceRequest) => ({
      recurringInvoice: find(request),
      nextCycles: [{ cycle: 1, date: MADE_AT, dueDate: MADE_AT, amount: 9_900 }],
    }),
    listRecurringInvoices: async (request: ListRecurringInvoicesRequest) => {
      asked.list.push(request)
      const { entries, ...end } = pageOf(matching(made, request), request)
      return { recurringInvoices: entries.map((each) => ({ ...each, items: [] })), ...end }
    },
    updateRecurringInvoice: update(marks, asked.update, find, keep),
    cancelRecurringInvoice: move(CANCELLED, ACTIVE, PAUSED),
    pauseRecurringInvoice: move(PAUSED, ACTIVE),
    resumeRecurringInvoice: move(ACTIVE, PAUSED),
    ...permissions(marks, find, keep),
    listCycleInvoices: async (request: ListCycleInvoicesRequest) => {
      asked.cycles.push(request)
      const { entries, ...end } = pageOf(billedBy(request, made, invoices), request)
      return { invoices: entries, ...end }
    },
    generateBoletos: async (request: GetRecurringInvoiceRequest) => {
      const { id: recurringInvoiceId, sellerId } = find(request)
      const closed = [...invoices.values()].filter((each) => each.recurringInvoiceId === recurringInvoiceId)
      return marks.once(sellerId, GenerateBoletosResponse, () => refusedBoletos(closed))
    },
    voidBooklet: async (request: GetRecurringInvoiceRequest) => {
      const { id: recurringInvoiceId, kind, sellerId } = find(request)
      if (kind !== RecurringInvoiceKind.BOOKLET) throw invalidState()
      const open = [...invoices.values()].filter((each) => each.recurringInvoiceId === recurringInvoiceId)
      return marks.once(sellerId, VoidBookletResponse, () => voidedBut(open))
    },
    drawBooklet: async (request: DrawBookletRequest) => {
      asked.draw.push(request)
      find(request)
      return { html: '<!doctype html><title>Carnê</title>', styleSource: "'sha256-c29sZQ=='" }
    },
  }
  return { answers, asked, made }
}

function matching(made: ReadonlyMap<number, RecurringInvoice>, request: ListRecurringInvoicesRequest) {
  const { sellerId, cardFails } = request
  const fails = ({ warnings }: RecurringInvoice) => warnings.some(({ code }) => code.startsWith('CARD_'))
  return [...made.values()]
    .filter((each) => each.sellerId === sellerId)
    .filter((each) => cardFails === undefined || fails(each) === cardFails)
    .reverse()
}

function update(
  marks: Marks,
  asked: UpdateRecurringInvoiceRequest[],
  find: (request: GetRecurringInvoiceRequest) => RecurringInvoice,
  keep: (recurring: RecurringInvoice) => RecurringInvoice,
) {
  return async (request: UpdateRecurringInvoiceRequest) => {
    asked.push(request)
    const recurring = find(request)
    return marks.once(request.sellerId, RecurringInvoice, () => {
      if (recurring.status === CANCELLED) throw invalidState()
      return keep(changed(recurring, request))
    })
  }
}

function changed(recurring: RecurringInvoice, request: UpdateRecurringInvoiceRequest): RecurringInvoice {
  const { cardId = recurring.cardId, unnameCard, recurringItems, extraItems } = request
  const items = [
    ...(recurringItems?.items ?? recurring.items.filter(({ cycle }) => cycle === undefined)),
    ...(extraItems?.items.map(({ item, cycle }) => ({ ...itemOf(item, 0), cycle })) ??
      recurring.items.filter(({ cycle }) => cycle !== undefined)),
  ]
  const named = unnameCard ? undefined : cardId
  return RecurringInvoice.fromPartial({
    ...recurring,
    cardId: named,
    nextCardId: named,
    collectionMethod: request.collectionMethod ?? recurring.collectionMethod,
    nextCycleDate: request.nextCycleDate ?? recurring.nextCycleDate,
    items: items.map((item, place) => ({ description: 'Plano', ...item, id: place + 1 })),
    updatedAt: recurring.updatedAt + 1,
  })
}

/** Permissions of Pix Automático, kept with their recurring invoices. */
function permissions(
  marks: Marks,
  find: (request: GetRecurringInvoiceRequest) => RecurringInvoice,
  keep: (recurring: RecurringInvoice) => void,
) {
  return {
    createPixPermission: async (request: GetRecurringInvoiceRequest) => {
      const { id, pixPermission: former } = find(request)
      return marks.once(request.sellerId, CreatePixPermissionResponse, () => {
        const pixPermission = former ?? permissionOf(id)
        keep({ ...find(request), pixPermission })
        return { pixPermission, existing: former !== undefined }
      })
    },
    cancelPixPermission: async (request: GetRecurringInvoiceRequest) => {
      const { pixPermission } = find(request)
      if (!pixPermission) throw notFound()
      return marks.once(request.sellerId, PixPermission, () => {
        const cancelled = { ...pixPermission, status: PixPermissionStatus.CANCELLED, copyAndPaste: '' }
        keep({ ...find(request), pixPermission: cancelled })
        return cancelled
      })
    },
  }
}

function permissionOf(recurringInvoiceId: number): PixPermission {
  return PixPermission.fromPartial({
    id: 4,
    recurringInvoiceId,
    status: PixPermissionStatus.CREATED,
    copyAndPaste: COPY_AND_PASTE,
    publicId: PIX_PUBLIC_ID,
    recId: 'RR9999901220270201k3j9d8f7a2b',
    amount: 9_900,
    firstCycle: 1,
    firstDate: MADE_AT,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
  })
}

/** The billing clock, which bills nothing. */
export function createBillingClock(marks: Marks) {
  let now = MADE_AT
  return {
    getClock: async () => ({ now }),
    advanceClock: async ({ sellerId, to }: AdvanceClockRequest) =>
      marks.once(sellerId, AdvanceClockResponse, () => {
        now = to
        return { now, invoicesBilled: 2, chargesTried: 1, emailsSent: 3 }
      }),
  }
}

function billedBy(
  { sellerId, recurringInvoiceId, orderReference }: ListCycleInvoicesRequest,
  made: ReadonlyMap<number, RecurringInvoice>,
  invoices: ReadonlyMap<number, Invoice>,
): Invoice[] {
  const ids = [...made.values()]
    .filter((each) => each.sellerId === sellerId)
    .filter((each) => each.id === recurringInvoiceId || each.orderReference === orderReference)
    .map(({ id }) => id)
  if (ids.length === 0) throw notFound()
  return [...invoices.values()].filter((invoice) => ids.includes(invoice.recurringInvoiceId ?? 0)).reverse()
}

function refusedBoletos(closed: readonly Invoice[]): GenerateBoletosResponse {
  const error = { errorCode: 'BOLETO_REFUSED', errorDetail: 'The bank does not take it.' }
  return GenerateBoletosResponse.fromPartial({
    boletos: closed.map(({ id: invoiceId }) => ({ invoiceId, ...error })),
  })
}

/** All but the last were voided: a card pays that one. */
function voidedBut(open: readonly Invoice[]): VoidBookletResponse {
  const error = { errorCode: 'PAYMENT_PENDING', errorDetail: 'A payment of this invoice is pending.' }
  return VoidBookletResponse.fromPartial({
    invoices: open.map(({ id: invoiceId, invoiceNumber, balanceAmount: balance }, at) => ({
      invoiceId,
      invoiceNumber,
      balance,
      ...(at > 0 && at === open.length - 1 ? error : {}),
    })),
  })
}

function pageOf<Entry>(all: readonly Entry[], { page, size }: { page: number; size: number }) {
  const [from, to] = [page * size, (page + 1) * size]
  return {
    entries: all.slice(from, to),
    total: all.length,
    totalIsLowerBound: false,
    more: all.length > to,
  }
}

function newRecurring(id: number, request: CreateRecurringInvoiceRequest): RecurringInvoice {
  const { recurringItems, extraItems, nextCycleDueDate, ...kept } = request
  return RecurringInvoice.fromPartial({
    ...kept,
    id,
    kind: RecurringInvoiceKind.RECURRING,
    status: ACTIVE,
    customerDocument: '12345678909',
    billingCycleStartDate: request.billingCycleStartDate ?? MADE_AT,
    nextCycleDate: MADE_AT,
    nextCycleDueDate: nextCycleDueDate ?? MADE_AT,
    items: [
      ...recurringItems.map((item, at) => itemOf(item, at + 1)),
      ...extraItems.map(({ item, cycle }, at) => ({
        ...itemOf(item, recurringItems.length + at + 1),
        cycle,
      })),
    ],
    createdAt: MADE_AT + id,
    updatedAt: MADE_AT + id,
  })
}

function newBooklet(id: number, { recurringItem, ...request }: CreateBookletRequest): RecurringInvoice {
  return RecurringInvoice.fromPartial({
    ...request,
    id,
    kind: RecurringInvoiceKind.BOOKLET,
    status: FINISHED,
    customerDocument: '12345678909',
    billingCycleStartDate: request.billingCycleStartDate ?? MADE_AT,
    cyclesBilled: request.charges,
    items: [itemOf(recurringItem, 1)],
    createdAt: MADE_AT + id,
    updatedAt: MADE_AT + id,
  })
}

function itemOf(item: NewItem | undefined, id: number) {
  return { ...item, id, description: 'Plano' }
}

function invalidState(): DomainError {
  const members = { currentStatus: 'CANCELLED', allowedActions: [] }
  const message = 'A recurring invoice that is CANCELLED does not change.'
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', message, { members })
}
