import { setTimeout as pause } from 'node:timers/promises'
import { authorizeCard, openHolderBrowser, refuseCard, type Holder } from '@cofre/testing/holder-browser'
import type { Return } from '../ledger'
import { request, type Teller } from '../teller'
import { OF_DELETIONS, OF_RENEWALS } from './voucher-causes'
import { deleteVoucher, isAwaited, payAndResolve, vouchersOf } from './voucher-story'

/** A notification about a token, in the inbox of a teller. */
export type Heard = { token: string; status: string; cardReference: string; lastFour: string | null }
export type Message = { body: string; headers: Record<string, string> }

const TOLD_WITHIN_MS = 180_000
const RELOADED_AFTER_MS = { min: 300, max: 1_500 }
const PAGE_TIMEOUT_MS = 35_000

type Way = Pick<Return, 'cardType' | 'wanted'> & Holder

const meal = (lastFour: string, email = 'ana@example.com'): Way => {
  return { email, card: `meal-${lastFour}`, cardType: 'MEAL', wanted: 'ACTIVE' }
}
const food: Way = { email: 'bruno@example.com', cardType: 'FOOD', wanted: 'ACTIVE' }
const carla = (lastFour: string) => meal(lastFour, 'carla@example.com')
const WAYS: readonly Way[] = [
  meal('1234'),
  meal('1234'),
  meal('4321'),
  food,
  carla('5559'),
  carla('5552'),
  carla('5550'),
  { ...meal('4321'), wanted: 'DENIED' },
  // The holder picks a card of another type.
  { ...meal('1234'), cardType: 'FOOD', wanted: 'FAILED' },
]

export function redirectInbox(name: string): string {
  return `${name}-vouchers`
}

/** Makes a token by redirect and pays with it, or pays with an earlier one, whose access token may have expired. */
export async function tellRedirectStory(teller: Teller, story: string): Promise<void> {
  const { random } = teller
  const earlier = teller.ledger.returns.filter(
    (one) => one.token !== undefined && one.story.startsWith(`${teller.name}-`),
  )
  const isNew = earlier.length === 0 || random.chance(isAwaited(teller, OF_RENEWALS) ? 0.2 : 0.6)
  const back = isNew ? await authorize(teller, story) : random.pick(earlier)
  if (!back?.token || teller.stopped()) return
  const voucher = { token: back.token, cardType: back.cardType, cardBrand: 'TICKET' }
  for (let turn = random.int(1, 2); turn > 0 && !teller.stopped(); turn--) {
    await payAndResolve(teller, `${story}-${turn}`, voucher)
  }
  const isLast = isAwaited(teller, OF_DELETIONS) || random.chance(0.4)
  if (teller.stopped() || !isLast) return
  delete back.token
  await deleteVoucher(teller, story, voucher)
}

/** Sends the holder to the brand and back. Despite kills, reloads the last page until the seller is notified. */
async function authorize(teller: Teller, story: string): Promise<Return | undefined> {
  const { random, system, ledger } = teller
  const { wanted, cardType, ...holder } = random.pick(WAYS)
  const notificationUrl = `${system.inbox}/${redirectInbox(teller.name)}`
  const body = { notificationUrl, cardType, cardReference: story }
  const path = `${vouchersOf(teller)}/ticket/tokens`
  const begun = await request<{ authUrl: string }>(teller, {
    story,
    operation: 'redirect',
    method: 'POST',
    path,
    body,
  })
  if (!begun) return undefined
  const browser = openHolderBrowser(system.ready.sandboxUrl)
  const url =
    wanted === 'DENIED'
      ? await refuseCard(browser, begun.authUrl)
      : await authorizeCard(browser, begun.authUrl, holder)
  const back: Return = { story, cardType, wanted, url }
  ledger.returns.push(back)
  const heard = await untilHeard(teller, back)
  if (heard?.status === 'ACTIVE') back.token = heard.token
  if (!heard) ledger.breaches.push(`${story}: nobody heard what became of the redirect`)
  return back
}

async function untilHeard({ system, random, name }: Teller, back: Return): Promise<Heard | undefined> {
  const until = Date.now() + TOLD_WITHIN_MS
  while (Date.now() < until) {
    await openPage(back.url)
    const heard = (await messagesIn(system.ready.sandboxUrl, redirectInbox(name)))
      .map(({ body }) => JSON.parse(body) as Heard)
      .find(({ cardReference }) => cardReference === back.story)
    if (heard) return heard
    await pause(random.int(RELOADED_AFTER_MS.min, RELOADED_AFTER_MS.max))
  }
  return undefined
}

/** The status and the heading of the page on which a redirect ends; 0 when nobody answers. */
export async function openPage(url: string): Promise<{ status: number; heading: string }> {
  try {
    const page = await fetch(url, { signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) })
    return { status: page.status, heading: /<h1[^>]*>([^<]*)/.exec(await page.text())?.[1] ?? '' }
  } catch {
    return { status: 0, heading: '' }
  }
}

export async function messagesIn(sandboxUrl: string, inbox: string): Promise<Message[]> {
  return (await (await fetch(`${sandboxUrl}/inbox/${inbox}`)).json()) as Message[]
}
