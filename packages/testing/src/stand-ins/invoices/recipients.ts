import { notFound } from '@cofre/platform/errors'
import { MovementKind } from '@cofre/proto/invoices/v1/money'
import {
  Recipient,
  type CreateRecipientRequest,
  type GetRecipientRequest,
  type ListEntriesRequest,
  type ListRecipientsRequest,
  type RecipientEntry,
  type ReplaceRecipientRequest,
} from '@cofre/proto/invoices/v1/recipients'
import type { Marks } from '../marks'

const MADE_AT = 1_767_225_600_000

/** Recipients in memory; each is owed 1,500 cents of one payment and owes 500 back. */
export function createRecipients(marks: Marks) {
  const recipients = new Map<number, Recipient>()
  const asked: { list: ListRecipientsRequest[]; entries: ListEntriesRequest[] } = { list: [], entries: [] }
  const find = ({ sellerId, recipientId }: GetRecipientRequest) => {
    const found = recipients.get(recipientId)
    if (found?.sellerId !== sellerId) throw notFound()
    return found
  }
  const keep = (recipient: Recipient) => {
    recipients.set(recipient.id, recipient)
    return recipient
  }
  const entriesOf = (request: ListEntriesRequest) => {
    const { id: recipientId } = find(request)
    asked.entries.push(request)
    const entries: RecipientEntry[] = [
      {
        id: 2,
        recipientId,
        invoiceId: 7,
        movementId: 9,
        kind: MovementKind.REFUND,
        amount: -500,
        at: MADE_AT + 1,
        recordedAt: MADE_AT + 1,
      },
      {
        id: 1,
        recipientId,
        invoiceId: 7,
        movementId: 8,
        kind: MovementKind.PAYMENT,
        amount: 1_500,
        at: MADE_AT,
        recordedAt: MADE_AT,
      },
    ]
    return { entries, total: 2, totalIsLowerBound: false, more: false }
  }
  const answers = {
    createRecipient: async ({ sellerId, fields }: CreateRecipientRequest) =>
      marks.once(sellerId, Recipient, () =>
        keep({ id: recipients.size + 1, sellerId, fields, createdAt: MADE_AT, updatedAt: MADE_AT }),
      ),
    getRecipient: async (request: GetRecipientRequest) => find(request),
    listRecipients: async (request: ListRecipientsRequest) => {
      asked.list.push(request)
      const found = [...recipients.values()].filter(({ sellerId }) => sellerId === request.sellerId).reverse()
      return {
        recipients: found.slice(0, request.size),
        total: found.length,
        totalIsLowerBound: false,
        more: false,
      }
    },
    replaceRecipient: async ({ fields, ...request }: ReplaceRecipientRequest) => {
      const before = find(request)
      return marks.once(request.sellerId, Recipient, () =>
        keep({ ...before, fields, updatedAt: MADE_AT + 1 }),
      )
    },
    listEntries: async (request: ListEntriesRequest) => entriesOf(request),
    exportEntries: async (request: ListEntriesRequest) => entriesOf(request),
  }
  return { answers, recipients, asked }
}
