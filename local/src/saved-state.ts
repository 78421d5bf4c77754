import { z } from 'zod'
import { readIfThere, writePrivately, type RunFolder } from './run-folder'

const sellerShape = z.object({
  sellerId: z.number().optional(),
  token: z.string().optional(),
  merchantId: z.string(),
  merchantKey: z.string(),
  /** The key at the voucher issuers. */
  voucherKey: z.string().optional(),
  /** The key at the bank. */
  bankKey: z.string().optional(),
  /** The key at the 3-D Secure server. */
  threeDSecureKey: z.string().optional(),
  /** The secret at the acquirer's chargeback API. */
  disputesSecret: z.string().optional(),
  /** The Pix key, which names the account at the bank. */
  pixKey: z.string().optional(),
})

const stateShape = z.object({
  ports: z.record(z.string(), z.number()).default({}),
  /** Database passwords by role. */
  passwords: z.record(z.string(), z.string()).default({}),
  demo: sellerShape.optional(),
  second: sellerShape.optional(),
  portalPassword: z.string().optional(),
  /** The token of the demo seller's test card. */
  cardToken: z.string().optional(),
})

/** The state that the next start needs. Each step saves its result, so that an interrupted start can continue. */
export type SavedState = z.output<typeof stateShape>
export type DemoSeller = z.output<typeof sellerShape>

export function readState(run: RunFolder): SavedState {
  return stateShape.parse(JSON.parse(readIfThere(run.state) ?? '{}'))
}

export function saveState(run: RunFolder, state: SavedState): void {
  writePrivately(run.state, `${JSON.stringify(state, null, 2)}\n`)
}
