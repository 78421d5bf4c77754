import { ChargeAction, type Charge } from '@cofre/proto/orders/v1/orders'
import { z } from 'zod'

/** The links of a charge, to what its state allows. */
export const chargeLinksSchema = z
  .object({
    self: z.url(),
    capture: z.url().nullable().meta({ description: 'Capture it. null: its state does not allow that.' }),
    refund: z.url().nullable().meta({
      description: 'Refund it, or void it before the capture. null: its state does not allow that.',
    }),
    cancel: z
      .url()
      .nullable()
      .meta({ description: 'Cancel it while it waits for its Pix. null: it does not wait for one.' }),
    metadata: z.url().meta({ description: 'Read or replace its metadata.' }),
    request: z
      .url()
      .nullable()
      .meta({ description: 'The request that made it, in your history. null: see requestId.' }),
  })
  .meta({
    id: 'ChargeLinks',
    description: 'What the state of the charge allows now. In an event: what it allowed then.',
  })

export type ChargeLinks = z.output<typeof chargeLinksSchema>

/** The links of a charge, to the actions that it allows. */
export function chargeLinks(
  { id, allowedActions, requestId }: Pick<Charge, 'id' | 'allowedActions' | 'requestId'>,
  baseUrl: string,
): ChargeLinks {
  const self = `${baseUrl}/api/v2/charges/${id}`
  return {
    self,
    capture: allowedActions.includes(ChargeAction.CAPTURE) ? `${self}/capture` : null,
    refund: allowedActions.includes(ChargeAction.REFUND) ? `${self}/refund` : null,
    cancel: allowedActions.includes(ChargeAction.CANCEL) ? `${self}/cancel` : null,
    metadata: `${self}/metadata`,
    request: requestId ? requestUrl(requestId, baseUrl) : null,
  }
}

/** The address of a request in the seller's history. */
function requestUrl(requestId: string, baseUrl: string): string {
  return `${baseUrl}/api/v2/history/requests?requestId=${encodeURIComponent(requestId)}`
}
