import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import { ChallengeStatus, type StartAuthenticationResponse } from '@cofre/proto/invoices/v1/three_d_secure'
import { resolveChallenge, takeDueChallenges } from '../../src/cards/three-d-secure/resolve-challenges'
import { sealed } from './payments'
import type { SmallAuthenticationServer } from './small-authentication-server'
import { BASE_URL, type TestInvoices } from './start-invoices'

export const CHALLENGED = '4000000000001091'
export const FRICTIONLESS = '4000000000001000'

/** Starts to authenticate the payer of an invoice, with a card in the body unless `changes` names another. */
export function startAgain(
  { threeDSecure }: Pick<TestInvoices, 'threeDSecure'>,
  { sellerId, id: invoiceId }: Pick<Invoice, 'sellerId' | 'id'>,
  number = CHALLENGED,
  changes: Partial<PayByCardRequest> = {},
): Promise<Replayable<StartAuthenticationResponse>> {
  const source = 'cardId' in changes ? {} : { card: sealed({ handle: number }) }
  const payment = { sellerId, invoiceId, installments: 1, ...source, ...changes } as PayByCardRequest
  const request = { payment: PayByCardRequest.fromPartial(payment), merchantName: 'Loja Ana' }
  return callRepeatable(threeDSecure, threeDSecure.startAuthentication, request)
}

export async function start(...args: Parameters<typeof startAgain>): Promise<StartAuthenticationResponse> {
  const { response } = await startAgain(...args)
  return response
}

/** The ids that the payer's browser brings back. */
export function returned({ last }: SmallAuthenticationServer): { publicId: string; challengeId: string } {
  const [, publicId = '', challengeId = ''] =
    /^(.{22})\/three-d-secure\/(.{22})$/.exec(last.asked.returnUrl.slice(`${BASE_URL}/checkout/`.length)) ??
    []
  return { publicId, challengeId }
}

/** Brings the payer's browser back. Returns the name of the challenge's status. */
export async function finish(
  { threeDSecure }: Pick<TestInvoices, 'threeDSecure'>,
  ids: { publicId: string; challengeId: string },
): Promise<string | undefined> {
  const { status } = await callRpc(threeDSecure, threeDSecure.finishAuthentication, ids)
  return Object.entries(ChallengeStatus).find(([, value]) => value === status)?.[0]
}

/** Why the last challenge of an invoice was refused. */
export async function refusalOf({ pool }: Pick<TestInvoices, 'pool'>, { id }: Invoice): Promise<string> {
  const { rows } = await pool.query(
    'SELECT refusal FROM challenges WHERE invoice_id = $1 ORDER BY id DESC LIMIT 1',
    [id],
  )
  return rows[0]?.refusal
}

/** Runs one turn of the sweeper, so much later. */
export async function resolveChallengesLater({ deps, pool }: TestInvoices, ms = 600_000): Promise<void> {
  await pool.query(
    `UPDATE challenges SET ask_at = ask_at - $1 * interval '1 ms', expires_at = expires_at - $1 * interval '1 ms'
     WHERE ask_at IS NOT NULL`,
    [ms],
  )
  await Promise.all((await takeDueChallenges(deps, 100)).map((each) => resolveChallenge(deps, each)))
}

export async function statusesOf({ pool }: Pick<TestInvoices, 'pool'>, { id }: Invoice): Promise<string[]> {
  const { rows } = await pool.query('SELECT status FROM challenges WHERE invoice_id = $1 ORDER BY id', [id])
  return rows.map(({ status }) => status)
}

/** The vault's ids of the cards to destroy. */
export async function discarded({ pool }: Pick<TestInvoices, 'pool'>, sellerId: number): Promise<number[]> {
  const { rows } = await pool.query('SELECT card_id FROM discarded_cards WHERE seller_id = $1', [sellerId])
  return rows.map(({ card_id }) => card_id)
}
