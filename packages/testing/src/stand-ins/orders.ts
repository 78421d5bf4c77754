import { notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn, type OnCall } from '../stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  Charge,
  ChargeAction,
  ChargeStatus,
  OrdersAdminService,
  OrdersService,
  type AuthorizeOrderRequest,
  type CaptureChargeRequest,
  type CancelChargeRequest,
  type ChargePixRequest,
  type GetChargeRequest,
  type GetPixCodeRequest,
  type ListChargesRequest,
  type ListChargesResponse,
  type ListedPix,
  type PendingTransaction,
  type ReplaceMetadataRequest,
  type TakePixHintRequest,
} from '@cofre/proto/orders/v1/orders'
import { ChargeReportsService } from '@cofre/proto/orders/v1/reports'
import { exceeds, newCharge, newPixCharge, pageOf, withPendingRefund } from './charges'
import { createDisputes } from './disputes'
import { createEstablishments } from './establishments'
import { createMarks } from './marks'
import { createChargeReports } from './reports'

type Hooks = {
  /** Runs before each write: a test makes it refuse, fail or wait. */
  before: () => Promise<void>
  /** Runs after each new charge is made: a test makes its answer get lost. */
  after: () => Promise<void>
  /** The acquirer's outcome for a new charge. */
  outcome: (charge: Charge) => Charge
  /** The end of a list, where a test replaces it. */
  end: Partial<ListChargesResponse>
}

/** The orders service in memory. `asked` holds the requests to authorize and to list, `hints` those of banks for Pix, `listed` what their lists have. */
export function createOrders({ onCall }: { onCall?: OnCall } = {}) {
  const marks = createMarks()
  const charges = new Map<number, Charge>()
  const disputes = createDisputes(marks, { onCall })
  const reports = createChargeReports()
  const pending: PendingTransaction[] = []
  const { establishments, admin: establishing } = createEstablishments()
  const asked: { authorize: AuthorizeOrderRequest[]; list: ListChargesRequest[] } = {
    authorize: [],
    list: [],
  }
  const hooks: Hooks = { before: async () => {}, after: async () => {}, outcome: (charge) => charge, end: {} }
  const find = ({ sellerId, chargeId }: GetChargeRequest) => {
    const charge = charges.get(chargeId)
    if (charge?.sellerId !== sellerId) throw notFound('There is no such charge.')
    return charge
  }
  const write = (sellerId: number, change: () => Charge) =>
    marks.once(sellerId, Charge, async () => {
      await hooks.before()
      const charge = change()
      charges.set(charge.id, charge)
      return charge
    })
  const list = listing(charges, asked.list)
  const pix = pixOrders(charges, write)
  const authorizeOrder = async (request: AuthorizeOrderRequest) => {
    asked.authorize.push(request)
    const made = await write(request.sellerId, () => hooks.outcome(newCharge(charges.size + 1, request)))
    await hooks.after()
    return made
  }
  const answers = {
    authorizeOrder,
    ...pix.answers,
    captureCharge: async (request: CaptureChargeRequest) => {
      const charge = find(request)
      return write(request.sellerId, () => {
        const amount = request.amount ?? charge.amount
        if (amount > charge.authorizedAmount) throw exceeds(amount, charge.authorizedAmount)
        return { ...charge, status: ChargeStatus.CAPTURED, capturedAmount: amount }
      })
    },
    refundCharge: async (request: CaptureChargeRequest) => {
      const charge = find(request)
      return write(request.sellerId, () => withPendingRefund(charge, request.amount ?? charge.amount))
    },
    getCharge: async (request: GetChargeRequest) => find(request),
    listCharges: async (request: ListChargesRequest) => ({ ...list(request), ...hooks.end }),
    exportCharges: async (request: ListChargesRequest) => ({ ...list(request), total: 0 }),
    replaceMetadata: async (request: ReplaceMetadataRequest) => {
      const charge = find(request)
      return write(request.sellerId, () => ({ ...charge, metadata: request.metadata }))
    },
  }
  const services = (log: Logger): ServedService[] => {
    const resolveTransaction = async (request: GetChargeRequest) => find(request)
    const listPendingTransactions = async () => ({ transactions: pending, more: false })
    const admin = { ...establishing, resolveTransaction, listPendingTransactions }
    return [
      standIn(log, OrdersService, answers, { onCall }),
      disputes.service(log),
      standIn(log, ChargeReportsService, reports.answers, { onCall }),
      standIn(log, OrdersAdminService, admin, { onCall, callers: ['cofrectl'] }),
      marks.service(log),
    ]
  }
  return { services, charges, disputes, reports, pending, asked, ...pix.told, hooks, establishments }
}

type Write = (sellerId: number, change: () => Charge) => Promise<unknown>

/** Orders that a Pix pays, and the notices of banks as they came. */
function pixOrders<W extends Write>(charges: ReadonlyMap<number, Charge>, write: W) {
  const hints: string[] = []
  const listed: ListedPix[] = []
  const answers = {
    chargePix: (request: ChargePixRequest) =>
      write(request.sellerId, () => newPixCharge(charges.size + 1, request)) as ReturnType<W>,
    cancelCharge: async ({ sellerId, chargeId }: CancelChargeRequest) => {
      const charge = charges.get(chargeId)
      if (charge?.sellerId !== sellerId) throw notFound()
      return { ...charge, status: ChargeStatus.EXPIRED, allowedActions: [ChargeAction.METADATA] }
    },
    getPixCode: async ({ txid }: GetPixCodeRequest) => {
      const payments = [...charges.values()].flatMap((charge) => charge.payments)
      const found = payments.find(({ acquirer }) => acquirer?.orderNumber === txid)
      if (!found?.pix) throw notFound()
      return { copyAndPaste: found.pix.copyAndPaste }
    },
    takePixHint: async ({ body, listed: pix }: TakePixHintRequest) => {
      if (body.length > 0) hints.push(body.toString())
      listed.push(...pix)
      return {}
    },
  }
  return { answers, told: { hints, listed } }
}

function listing(charges: ReadonlyMap<number, Charge>, asked: ListChargesRequest[]) {
  return (request: ListChargesRequest) => {
    asked.push(request)
    return pageOf([...charges.values()], request)
  }
}
