import { permissionSchema, presentPermission } from '@cofre/api/methods/pix-automatic'
import { notFound } from '@cofre/platform/errors'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { PixPermission } from '@cofre/proto/invoices/v1/pix'
import { CreatePixPermissionResponse } from '@cofre/proto/invoices/v1/recurring'
import { z } from 'zod'
import { route } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { RECURRING, tag } from './recurring-invoices'

const byId = z.object({ id: pathId })
const PATH = `${RECURRING}/{id}/pix-permission`
/** The bank is asked up to five times. */
const ASKING = { timeoutMs: 60_000 }

const createPixPermission = route({
  method: 'POST',
  path: PATH,
  scope: 'invoices:write',
  operationId: 'createPixPermission',
  tag,
  summary: 'Ask a payer for the permission to collect by Pix Automático',
  description:
    'Needs collectionMethod CHARGE_AUTOMATICALLY, the payment method PIX, a billingFrequency that Pix Automático has, and the pixReceiver in the settings of your invoices. Show the payer copyAndPaste or the QR code. The Pix charge of one of its invoices asks for the permission too, by itself. An approved permission collects each invoice on its due date, in place of a card. It collects the total less the discount of daysBeforeDueDate 0; the payer keeps that discount on later tries. Where the payer has paid a part before, a permission of one amount collects nothing, and the payer gets a letter. If an open permission exists, the answer is 200 with it.',
  params: byId,
  callsPartner: 'pix',
  responses: {
    200: { description: 'The open permission.', schema: permissionSchema, headers: ['Location'] },
    201: { description: 'A new permission.', schema: permissionSchema, headers: ['Location'] },
  },
  problems: ['INVALID_INVOICE_STATE', 'PAYMENT_METHOD_NOT_ACCEPTED', 'PIX_REFUSED'],
  message: CreatePixPermissionResponse,
  handle: ({ sellerId, params }, { services: { recurring } }) =>
    callRepeatable(
      recurring,
      recurring.createPixPermission,
      { sellerId, recurringInvoiceId: params.id },
      ASKING,
    ),
  present: ({ pixPermission = PixPermission.fromPartial({}), existing }, { baseUrl }) => ({
    status: existing ? 200 : 201,
    headers: { Location: `${baseUrl}${RECURRING}/${pixPermission.recurringInvoiceId}/pix-permission` },
    body: presentPermission(pixPermission, baseUrl),
  }),
})

const getPixPermission = route({
  method: 'GET',
  path: PATH,
  scope: 'invoices:read',
  operationId: 'getPixPermission',
  tag,
  summary: 'Read the latest permission to collect by Pix Automático',
  description: 'The open permission, or the last one. 404 if no permission was asked for.',
  params: byId,
  responses: { 200: { description: 'The permission.', schema: permissionSchema } },
  handle: async ({ sellerId, params }, { services: { recurring } }) => {
    const request = { sellerId, recurringInvoiceId: params.id }
    const { pixPermission } = await callRpc(recurring, recurring.getRecurringInvoice, request)
    if (!pixPermission) throw notFound('The recurring invoice has no permission.')
    return pixPermission
  },
  present: (permission, { baseUrl }) => ({ status: 200, body: presentPermission(permission, baseUrl) }),
})

const cancelPixPermission = route({
  method: 'POST',
  path: `${PATH}/cancel`,
  scope: 'invoices:write',
  operationId: 'cancelPixPermission',
  tag,
  summary: 'Cancel a permission to collect by Pix Automático',
  description:
    'The bank ends the permission, and the collections whose day has not come. Their invoices can still be paid in other ways. `cancelling` until the bank has done so. A repeat changes nothing. 404 if no permission was asked for.',
  params: byId,
  callsPartner: 'pix',
  responses: { 200: { description: 'The permission.', schema: permissionSchema } },
  message: PixPermission,
  handle: ({ sellerId, params }, { services: { recurring } }) =>
    callRepeatable(
      recurring,
      recurring.cancelPixPermission,
      { sellerId, recurringInvoiceId: params.id },
      ASKING,
    ),
  present: (permission, { baseUrl }) => ({ status: 200, body: presentPermission(permission, baseUrl) }),
})

export const pixPermissionRoutes = [createPixPermission, getPixPermission, cancelPixPermission]
