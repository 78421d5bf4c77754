import { notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn, type OnCall } from '../stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  Charge,
  ChargeStatus,
  OrdersAdminService,
  OrdersService,
  type AuthorizeOrderRequest,
  type CaptureChargeRequest,
  type GetChargeRequest,
  type ListChargesRequest,
  type ListChargesResponse,
  type PendingTransaction,
  type ReplaceMetadataRequest,
} from '@cofre/proto/orders/v1/orders'
import { exceeds, newCharge, pageOf, withPendingRefund } from './charges'
import { createEstablishments } from './establishments'
import { createMarks } from './marks'

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

/** The orders service in memory. `asked` holds the requests to authorize and to list. */
export function createOrders({ onCall }: { onCall?: OnCall } = {}) {
  const marks = createMarks()
  const charges = new Map<number, Charge>()
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
  const authorizeOrder = async (request: AuthorizeOrderRequest) => {
    asked.authorize.push(request)
    const made = await write(request.sellerId, () => hooks.outcome(newCharge(charges.size + 1, request)))
    await hooks.after()
    return made
  }
  const captureCharge = async (request: CaptureChargeRequest) => {
    const charge = find(request)
    return write(request.sellerId, () => {
      const amount = request.amount ?? charge.amount
      if (amount > charge.authorizedAmount) throw exceeds(amount, charge.authorizedAmount)
      return { ...charge, status: ChargeStatus.CAPTURED, capturedAmount: amount }
    })
  }
  const answers = {
    authorizeOrder,
    captureCharge,
    refundCharge: async (request: CaptureChargeRequest) => {
      const charge = find(request)
      return write(request.sellerId, () => withPendingRefund(charge, request.amount ?? charge.amount))
    },
    getCharge: async (request: GetChargeRequest) => find(request),
    listCharges: async (request: ListChargesRequest) => {
      asked.list.push(request)
      return { ...pageOf([...charges.values()], request), ...hooks.end }
    },
    replaceMetadata: async (request: ReplaceMetadataRequest) => {
      const charge = find(request)
      return write(request.sellerId, () => ({ ...charge, metadata: request.metadata }))
    },
  }
  const services = (log: Logger): ServedService[] => {
    const admin = {
      ...establishing,
      resolveTransaction: async (request: GetChargeRequest) => find(request),
      listPendingTransactions: async () => ({ transactions: pending, more: false }),
    }
    return [
      standIn(log, OrdersService, answers, { onCall }),
      standIn(log, OrdersAdminService, admin, { onCall, callers: ['cofrectl'] }),
      marks.service(log),
    ]
  }
  return { services, charges, pending, asked, hooks, establishments }
}
