import type { ChargeJson } from '@cofre/api/charge'
import { request, type Teller } from './teller'

/** Refunds in parts, some at the same moment, whose sum never exceeds the captured amount. */
export async function refund(teller: Teller, story: string, charge: ChargeJson): Promise<void> {
  const { random } = teller
  let left: number = charge.capturedAmount - charge.refundedAmount
  for (let turn = random.int(0, 3); turn > 0 && left > 0 && !teller.stopped(); turn--) {
    const amounts: number[] = []
    for (let part = random.chance(0.4) ? 2 : 1; part > 0 && left > 0; part--) {
      const amount = random.int(1, left)
      amounts.push(amount)
      left -= amount
    }
    await Promise.all(
      amounts.map((amount) => giveBack(teller, story, charge.id, { amount, reason: 'returned' })),
    )
  }
}

export async function giveBack(teller: Teller, story: string, chargeId: number, body: object): Promise<void> {
  const path = `/api/v2/charges/${chargeId}/refund`
  await request(teller, { story, operation: 'refund', method: 'POST', path, body })
}
