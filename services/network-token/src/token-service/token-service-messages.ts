import { readJson } from '@cofre/platform/outbound/partner-answers'
import { z } from 'zod'
import { TOKEN_SERVICE_REASONS, type Reason } from '../token/network-token'

/** An unknown reason becomes ACQUIRER_REJECTED. */
const reason = z.enum(TOKEN_SERVICE_REASONS).catch('ACQUIRER_REJECTED')

const token = z.object({
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  reference: z.string(),
  status: z.enum(['PENDING', 'ACTIVE', 'SUSPENDED', 'DELETED', 'FAILED']),
  reason: reason.optional(),
  card: z
    .object({ lastFour: z.string().regex(/^\d{4}$/) })
    .optional()
    .catch(undefined),
})

const refusal = z.object({ code: z.string() })
const push = z.object({ reference: z.uuid() })

export type TokenMessage = z.output<typeof token>

export function readToken(body: Uint8Array): TokenMessage | undefined {
  return readJson(token, body)
}

/** The code in the body of a 4xx; empty when there is none. */
export function readRefusal(body: Uint8Array): string {
  return readJson(refusal, body)?.code ?? ''
}

export function reasonOf(code: string): Reason {
  return reason.parse(code)
}

/** The reference of the token that a push is about. */
export function readPush(body: Uint8Array): string | undefined {
  return readJson(push, body)?.reference
}
