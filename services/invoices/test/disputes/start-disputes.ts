import { randomUUID } from 'node:crypto'
import { movementKind } from '@cofre/api/methods/movement'
import { openPostgresEventLog } from '@cofre/platform/events/postgres-event-log'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { ListMovementsRequest, MoneyClient } from '@cofre/proto/invoices/v1/money'
import { Dispute, DisputeStatus } from '@cofre/proto/orders/v1/disputes'
import { DisputeEvent } from '@cofre/proto/orders/v1/events'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { createTestDatabase } from '@cofre/testing/testing'
import { consumeDisputes } from '../../src/cards/consume-disputes'
import { get } from '../support/invoices'
import type { TestInvoices } from '../support/start-invoices'

export type Told = Partial<Dispute> & { sequence?: number; eventId?: string; type?: string }

let lastId = 0
export const newDisputeId = () => (lastId += 1)

/** The consumer of disputes with a log of its own, and what sellers see of them. */
export async function startDisputes(invoices: TestInvoices) {
  const events = await createTestDatabase()
  const eventLog = await openPostgresEventLog(events.pool, invoices.deps.log)
  const subscription = await consumeDisputes({ ...invoices.deps, eventLog })
  const money = await invoices.network.clientOf(MoneyClient, invoices.address, 'gateway')

  /** Publishes an event of a dispute of a charge: all of it is taken back, unless `told` says otherwise. */
  async function tell(charge: Charge, told: Told): Promise<void> {
    const { sequence = 1, eventId = randomUUID(), type = 'dispute.opened', ...changes } = told
    const dispute = Dispute.fromPartial({
      sellerId: charge.sellerId,
      chargeId: charge.id,
      status: DisputeStatus.NEEDS_RESPONSE,
      amount: charge.amount,
      withdrawnAmount: charge.amount,
      openedAt: Date.now(),
      ...changes,
    } as Dispute)
    const occurredAt = Date.now()
    const value = JSON.stringify(DisputeEvent.toJSON({ dispute, sequence, occurredAt, notificationUrl: '' }))
    const { sellerId } = dispute
    const event = {
      id: eventId,
      type,
      key: String(dispute.id),
      sellerId,
      traceparent: newTraceparent(),
      value,
    }
    await eventLog.publish('disputes.v1', [event])
  }

  /** The journal in the order of recording: kind, amount, and the dispute. */
  async function journalOf({ sellerId, id }: Invoice): Promise<[string, number, number | undefined][]> {
    const request = ListMovementsRequest.fromPartial({ sellerId, invoiceId: id, size: 100 })
    const { movements } = await callRpc(money, money.listMovements, request)
    return movements
      .toReversed()
      .map(({ kind, amount, disputeId }) => [movementKind.nameOf(kind), amount, disputeId])
  }

  const disputed = async (invoice: Invoice) => {
    const { disputedAmount, status } = await get(invoices, invoice)
    return { disputedAmount, status }
  }

  async function stop(): Promise<void> {
    await subscription.stop()
    await eventLog.close()
    await events.drop()
  }
  return { tell, journalOf, disputed, money, stop }
}
