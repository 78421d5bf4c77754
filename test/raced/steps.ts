import { isDeepStrictEqual } from 'node:util'
import type { System } from '../journeys/system'
import { answersTo, outcomes } from './judge'
import { newMoney, settled } from './money'
import type { FaultKind } from './outside'
import {
  breach,
  checkWhole,
  judge,
  see,
  seeNow,
  seeSettled,
  send,
  tell,
  type Play,
  type Sent,
  type Turn,
} from './play'
import { endsOf, refusalsOf, type Wanted } from './race'
import { newCard, orderOf, post, type Answer } from './seller'
import type { Operation, Step, Story } from './story'

let plays = Date.now() * 1_000

/** Plays a story; throws at the first answer that the model does not allow. */
export async function playStory(system: System, story: Story, turn: Turn): Promise<Play> {
  const reference = plays++
  const name = `raced-${reference}`
  const money = newMoney(story.amount, story.direct)
  const play: Play = { system, story, turn, name, reference, id: 0, money, sent: [], trail: [] }
  await begin(play)
  for (const step of story.steps) await playStep(play, step)
  await seeSettled(play)
  return play
}

/** Sends the order. An order that did not reach the acquirer is sent again with the same key. */
async function begin(play: Play): Promise<void> {
  const { system, name, reference, story } = play
  const { amount, digit, direct, fault: first } = story
  const order = orderOf(system, { cards: [await newCard(system, digit)], amount, direct, name, reference })
  const sent: Sent = { ...order, key: `${name}-order`, wanted: 'order', kept: null }
  play.sent.push(sent)
  for (const met of first === 'NOT_REACHED' ? [first, null] : [first]) {
    const lost = digit === 9 && (met === null || met === 'SLOW') ? 'ANSWER_LOST' : met
    const due = digit === 2 ? 'denied' : 'done'
    const what = `${direct ? 'charge' : 'authorize'} ${amount} on ${digit}, ${met}`
    judge(play, what, await send(play, sent, met), lost, (fault) =>
      outcomes(play.money, { type: 'AUTHORIZATION', amount }, fault, due),
    )
  }
  play.id = sent.kept?.body.id ?? 0
}

function playStep(play: Play, step: Step): Promise<void> {
  if ('at' in step) return race(play, step.at)
  if ('percent' in step) return operate(play, newRequest(play, step), step.fault, step.copies)
  if (!('nth' in step)) return step.does === 'read' ? seeNow(play) : seeSettled(play)
  const sent = play.sent[step.nth % play.sent.length]
  if (!sent) throw new Error('nothing was sent')
  if (step.does === 'reuse') return reuse(play, sent)
  return sent.kept ? replay(play, sent, sent.kept) : operate(play, sent, null, 1)
}

function newRequest(play: Play, { does, percent }: Operation): Sent {
  const amount = percent === null ? undefined : Math.ceil((play.story.amount * percent) / 100)
  const path = `/api/v2/charges/${play.id}/${does}`
  const sent: Sent = {
    path,
    body: { amount },
    key: `${play.name}-${play.sent.length}`,
    wanted: does,
    kept: null,
  }
  play.sent.push(sent)
  return sent
}

function wantedBy(play: Play, { wanted, body }: Sent): Wanted {
  if (wanted === 'order') throw breach(play, 'an order without a charge')
  return { wanted, amount: (body as { amount?: number }).amount }
}

const wordsOf = ({ wanted, amount }: Wanted) => `${wanted} ${amount ?? 'all'}`

async function operate(play: Play, sent: Sent, fault: FaultKind | null, copies: number): Promise<void> {
  const wanted = wantedBy(play, sent)
  const allowedWith = (met: FaultKind | null) => answersTo(play.money, { ...wanted, fault: met })
  const what = `${wordsOf(wanted)}, ${fault}`
  if (copies === 1) return judge(play, what, await send(play, sent, fault), fault, allowedWith)

  const requests = Array.from({ length: copies }, () => sent)
  const answers = await play.turn(() => Promise.all(requests.map((one) => post(play.system, one))))
  const served = answers.filter(({ code }) => code !== 'IDEMPOTENCY_KEY_IN_USE')
  const [first, ...others] = served.filter(({ status }) => status === 201).sort(byReplayed)
  if (served.length === 0) throw breach(play, `${what}, ${copies} times at once: none was served`)
  for (const refused of served.filter(({ status }) => status !== 201).sort(byPending))
    judge(play, what, refused, null, allowedWith)
  if (!first) return
  judge(play, what, first, null, allowedWith)
  sent.kept = first
  for (const other of others) checkReplay(play, sent, first, other)
}

/** Copies at once are answered in any order: one that found the charge pending came before one that did not. */
const byPending = (one: Answer, other: Answer) => Number(isPending(other)) - Number(isPending(one))
const isPending = ({ body }: Answer) => body?.currentStatus === 'PENDING'

const byReplayed = (one: Answer, other: Answer) => Number(one.replayed) - Number(other.replayed)

/** Sends several requests at once; the outcome must be as if they had come one after the other, in any order. */
async function race(play: Play, at: readonly Operation[]): Promise<void> {
  const requests = at.map((operation) => newRequest(play, operation))
  const answers = await play.turn(() => Promise.all(requests.map((sent) => post(play.system, sent))))
  const raced = requests.map((sent, nth) => ({
    sent,
    wanted: wantedBy(play, sent),
    answer: answers[nth]!,
  }))
  for (const { wanted, answer } of raced) tell(play, `raced: ${wordsOf(wanted)}`, answer)
  const accepted = raced.filter(({ answer }) => answer.status === 201)
  for (const { sent, answer } of accepted) {
    checkWhole(play, answer.body)
    sent.kept = answer
  }
  const winners = accepted.map(({ wanted }) => wanted)
  for (const { wanted, answer } of raced.filter((one) => !accepted.includes(one))) {
    const codes = new Set(
      [play.money, settled(play.money)].flatMap((money) => [...refusalsOf(money, wanted, winners)]),
    )
    if (answer.status !== 422 || !codes.has(answer.code ?? ''))
      throw breach(play, `${wordsOf(wanted)} may be refused as ${[...codes].join(', ')}`)
  }
  const ends = [play.money, settled(play.money)].flatMap((money) => endsOf(money, winners))
  await see(play, ends, true)
}

/** Sends the same request again, which must get the same answer. */
export async function replay(play: Play, sent: Sent, kept: Answer): Promise<void> {
  play.trail.push(`again ${sent.key}`)
  const again = await play.turn(() => post(play.system, sent))
  if (!again.replayed) throw breach(play, `${sent.key} was not replayed: ${again.status} ${again.code}`)
  checkReplay(play, sent, kept, again)
}

function checkReplay(play: Play, sent: Sent, kept: Answer, again: Answer): void {
  const same = (one: Answer) => [one.status, one.location, one.retryAfter, one.body]
  if (isDeepStrictEqual(same(kept), same(again))) return
  throw breach(play, `${sent.key}: ${JSON.stringify(same(kept))} became ${JSON.stringify(same(again))}`)
}

/** Sends the same key with another body, which must be refused once the key has its answer. */
async function reuse(play: Play, sent: Sent): Promise<void> {
  if (!sent.kept) return
  const other =
    sent.wanted === 'order'
      ? { ...sent.body, customer: { name: 'Bruno Lima', document: '12345678909' } }
      : { amount: play.story.amount + 1_000 }
  const answer = await play.turn(() => post(play.system, { ...sent, body: other }))
  if (answer.status === 422 && answer.code === 'IDEMPOTENCY_KEY_REUSED') return
  throw breach(play, `${sent.key} with another body was answered ${answer.status} ${answer.code}`)
}
