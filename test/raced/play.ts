import type { ChargeJson } from '@cofre/api/charge'
import { eventually } from '@cofre/testing/testing'
import type { System } from '../journeys/system'
import { allowedAs, faultsOf, shows, viewIn, viewOf, type Allowed } from './judge'
import { settled, type Money } from './money'
import { ACQUIRER_TIMEOUT_MS, clearFaults, setFault, type FaultKind } from './outside'
import { post, readCharge, type Answer, type Request } from './seller'
import type { Story } from './story'

/** One charge that is being played: the model beside the product. */
export type Play = {
  system: System
  story: Story
  /** Runs one request of all plays at a time when a fault could otherwise meet the request of another play. */
  turn: Turn
  name: string
  /** Also names the order; a number. */
  reference: number
  id: number
  money: Money
  sent: Sent[]
  /** The steps and their answers, for the reader of a breach. */
  trail: string[]
}
export type Turn = <T>(work: () => Promise<T>) => Promise<T>
/** `kept`: the answer that every repeat must get. */
export type Sent = Request & { key: string; wanted: 'order' | 'capture' | 'refund'; kept: Answer | null }

export function breach(play: Play, what: string): Error {
  return new Error(`${what}\n  ${play.trail.join('\n  ')}\n  model: ${JSON.stringify(play.money)}`)
}

/** Sends one request, with the fault that it meets if it reaches the acquirer. */
export async function send(play: Play, sent: Sent, fault: FaultKind | null): Promise<Answer> {
  const answer = await play.turn(async () => {
    if (fault) await setFault(play.system, fault)
    const answered = await post(play.system, sent)
    const left = fault ? await clearFaults(play.system) : 0
    if (fault && left > 0 !== (answered.status === 422))
      throw breach(play, `${sent.path} (${fault}) was answered ${answered.status}; ${left} faults were left`)
    return answered
  })
  if (answer.status === 201) sent.kept = answer
  return answer
}

/**
 * Goes on with the money that the answer shows; throws when the answer is not allowed. `allowedWith`: the answers that
 * a fault allows. An answer that took as long as the acquirer may take can have come without the acquirer's.
 */
export function judge(
  play: Play,
  what: string,
  answer: Answer,
  fault: FaultKind | null,
  allowedWith: (fault: FaultKind | null) => readonly Allowed[],
): void {
  tell(play, what, answer)
  const isLate = answer.tookMs >= ACQUIRER_TIMEOUT_MS && (fault === null || fault === 'SLOW')
  const allowed = [...allowedWith(fault), ...(isLate ? allowedWith('ANSWER_LOST') : [])]
  const met = allowedAs(answer, allowed)
  if (!met) {
    const wanted = allowed.map(
      ({ status, code, money }) => `${status} ${code ?? JSON.stringify(viewIn(money))}`,
    )
    throw breach(play, `allowed: ${[...new Set(wanted)].join(' or ')}; body: ${JSON.stringify(answer.body)}`)
  }
  play.money = met.money
  if (answer.status === 201) checkWhole(play, answer.body)
}

export function tell(play: Play, what: string, { status, code, body }: Answer): void {
  play.trail.push(`${what}: ${status} ${code ?? JSON.stringify(viewOf(body))}`)
}

/** Reads the charge, at once or, when `whole`, once nothing of it is pending. Throws when no model matches it. */
export async function see(play: Play, models: readonly Money[], whole: boolean): Promise<void> {
  const charge = await eventually(
    async () => {
      const now = await readCharge(play.system, play.id)
      if (whole && viewOf(now).pending.length > 0)
        throw breach(play, `not settled: ${JSON.stringify(viewOf(now))}`)
      return now
    },
    whole ? undefined : 0,
  )
  play.trail.push(`read: ${JSON.stringify(viewOf(charge))}`)
  const seen = models.find((money) => shows(charge, money))
  if (!seen) throw breach(play, 'the charge is not as the model has it')
  play.money = seen
  checkWhole(play, charge)
}

export const seeNow = (play: Play) => see(play, [play.money, settled(play.money)], false)
export const seeSettled = (play: Play) => see(play, [settled(play.money)], true)

export function checkWhole(play: Play, charge: ChargeJson): void {
  const faults = faultsOf(charge)
  if (faults.length > 0) throw breach(play, `${faults.join(', ')}: ${JSON.stringify(charge)}`)
}
