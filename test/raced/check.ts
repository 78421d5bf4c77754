import { isDeepStrictEqual } from 'node:util'
import type { ChargeJson } from '@cofre/api/charge'
import { eventually } from '@cofre/testing/testing'
import type { System } from '../journeys/system'
import { truthAt, truthOf } from './judge'
import { heardOf, paymentsOf } from './outside'
import { breach, type Play } from './play'
import { findCharges, readCharge } from './seller'
import { replay } from './steps'

/** Checks, when a story is over, that the acquirer, the answers and the notifications agree with the model. */
export async function checkPlay(play: Play): Promise<void> {
  const { system, money, story } = play
  const charge = await readCharge(system, play.id)
  const [payments = []] = await paymentsOf(system, charge)
  const truth = truthOf(money)
  if (!isDeepStrictEqual(payments.map(truthAt), truth ? [truth] : []))
    throw breach(play, `the acquirer has ${JSON.stringify(payments)}, not ${JSON.stringify(truth)}`)
  await checkUnreached(play)
  for (const sent of play.sent) if (sent.kept) await replay(play, sent, sent.kept)
  if (story.direct)
    await checkTold(system, play.name, charge).catch((error: Error) => {
      throw breach(play, error.message)
    })
}

/** Checks that an order that did not reach the acquirer left a FAILED charge, and nothing at the acquirer. */
async function checkUnreached({ system, name, reference, story, ...play }: Play): Promise<void> {
  const charges = await findCharges(system, name, reference)
  const others = charges.filter(({ id }) => id !== play.id)
  const statuses = others.map(({ status }) => status)
  const payments = (await Promise.all(others.map((charge) => paymentsOf(system, charge)))).flat(2)
  const wanted = story.fault === 'NOT_REACHED' ? ['FAILED'] : []
  if (charges.length === others.length + 1 && isDeepStrictEqual([statuses, payments], [wanted, []])) return
  throw new Error(
    `${name} left the charges ${JSON.stringify(charges)} and payments ${JSON.stringify(payments)}`,
  )
}

/** Waits until the last notification shows the charge as it is. */
export async function checkTold(system: System, inbox: string, charge: ChargeJson): Promise<void> {
  await eventually(async () => {
    const last = (await heardOf(system, inbox, charge.id)).at(-1)?.data
    if (last?.status !== charge.status || last.refundedAmount !== charge.refundedAmount)
      throw new Error(
        `told last: ${last?.status} ${last?.refundedAmount}; is ${charge.status} ${charge.refundedAmount}`,
      )
  })
}
