import { cents } from '@cofre/api/schema'
import { z } from 'zod'
import { text } from './fields/body-fields'

/** How much to capture. Without an amount: everything. */
export const captureRequestSchema = z
  .object({ amount: cents(1).optional() })
  .meta({ id: 'CaptureRequest', examples: [{ amount: 6_000 }] })

/** How much to refund. Without an amount: the rest. */
export const refundRequestSchema = z
  .object({ amount: cents(1).optional(), reason: text().optional() })
  .meta({ id: 'RefundRequest', examples: [{ amount: 2_500, reason: 'one item returned' }] })
