import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import {
  type CreateRecipientRequest,
  type GetRecipientRequest,
  type ListRecipientsRequest,
  type ListRecipientsResponse,
  Recipient as Message,
  type RecipientFields as FieldsMessage,
  type ReplaceRecipientRequest,
} from '@cofre/proto/invoices/v1/recipients'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { checkPage, requireAll } from '../../request-check'
import type { Recipient, RecipientFields } from '../recipients/recipient'
import { RECIPIENTS } from '../recipients/recipient-store'

export async function createRecipient(
  { pool }: Deps,
  { sellerId, fields }: CreateRecipientRequest,
): Promise<Replayable<Message>> {
  const given = readFields(fields)
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    const at = now()
    return toMessage(await RECIPIENTS.insert(tx, { ...given, sellerId, createdAt: at, updatedAt: at }))
  })
}

export async function getRecipient(
  { pool }: Deps,
  { sellerId, recipientId: id }: GetRecipientRequest,
): Promise<Message> {
  return toMessage(await RECIPIENTS.read(pool, { sellerId, id }))
}

export async function listRecipients(
  { pool }: Deps,
  { sellerId, page, size, after, place, reference }: ListRecipientsRequest,
): Promise<ListRecipientsResponse> {
  checkPage({ page, size })
  const conditions = [['t.reference = $', reference]] as const
  const { entries, ...end } = await RECIPIENTS.list(pool, sellerId, conditions, { page, size, after, place })
  return { recipients: entries.map(toMessage), ...end }
}

export async function replaceRecipient(
  { pool }: Deps,
  { sellerId, recipientId: id, fields }: ReplaceRecipientRequest,
): Promise<Replayable<Message>> {
  const given = readFields(fields)
  return withIdempotency(pool, sellerId, Message, async (tx) =>
    toMessage(await RECIPIENTS.replace(tx, { ...given, id, sellerId, updatedAt: now() })),
  )
}

/** Reads the recipient of a request. INVALID_ARGUMENT VALIDATION_FAILED. */
function readFields(fields: FieldsMessage | undefined): RecipientFields {
  requireAll({ '#/name': fields?.name, '#/document': fields?.document })
  const { name, document, reference } = fields as FieldsMessage
  return { name, document, reference: reference || null }
}

function toMessage({ id, sellerId, createdAt, updatedAt, ...given }: Recipient): Message {
  const fields = { ...given, reference: given.reference ?? '' }
  return { id, sellerId, fields, createdAt, updatedAt }
}
