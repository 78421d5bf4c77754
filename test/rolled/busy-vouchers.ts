import { authorizeCard, openHolderBrowser } from '@cofre/testing/holder-browser'
import { eventually, restAfter } from '@cofre/testing/testing'
import { customer, type Answer, type System } from '../journeys/system'

/** A payment that was answered CANCELED. */
export type GivenBack = { id: number; orderNumber: string }
export type BusyVouchers = {
  givenBack: readonly GivenBack[]
  /** How many holders authorized a card, whose token then paid and was deleted. */
  holders(): number
  /** The unexpected answers. */
  failures: readonly string[]
  stop(): Promise<void>
}

const REST_MS = 200
const FAILURES_MAX = 20
const CARD = { cardNumber: '6370361234567890', expires: { month: 12, year: 49 } }

/** Starts a shop that takes vouchers by number and cancels, and one whose holders authorize cards, until stopped. */
export function startBusyVouchers(system: System, name: string): BusyVouchers {
  const vouchers = `/api/v2/sellers/${system.ready.sellerId}/vouchers`
  const givenBack: GivenBack[] = []
  const failures: string[] = []
  let stopping = false
  let holders = 0
  const ask = async (method: string, path: string, due: (answer: Answer) => boolean, body?: object) => {
    const answer = await system.api(method, `${vouchers}${path}`, body ? { body } : {})
    if (due(answer)) return answer.body
    throw new Error(
      `${method} ${path} ${answer.status} ${answer.body?.detail ?? answer.body?.code ?? answer.body?.status}`,
    )
  }
  /** Waits for a status: on a busy machine a payment may be PENDING at first, and settles soon. */
  const becomes = (id: number, wanted: string) =>
    eventually(() => ask('GET', `/payments/${id}`, ({ body }) => body.status === wanted))
  const pay = async (cardBrand: string, token: string) => {
    const body = { amount: 3_500, customer, card: { cardType: 'MEAL', cardBrand, token } }
    const due = ({ status, body: payment }: Answer) => status === 201 && payment.status !== 'DENIED'
    const { id } = await ask('POST', '/payments', due, body)
    return becomes(id, 'PAID')
  }
  const takeNumber = async () => {
    const body = { cardType: 'MEAL', cardBrand: 'VR', holder: { name: 'ANA SOUZA' }, ...CARD }
    const { token } = await ask('POST', '/tokens', ({ status }) => status === 201, body)
    const { id, orderNumber } = await pay('VR', token)
    await ask('POST', `/payments/${id}/cancel`, ({ status }) => status === 200)
    await becomes(id, 'CANCELED')
    givenBack.push({ id, orderNumber })
    await ask('DELETE', `/tokens/${token}`, ({ status }) => status === 204)
  }
  const takeHolder = async () => {
    const cardReference = `${name}-${holders}`
    const notificationUrl = `${system.ready.sandboxUrl}/inbox/${cardReference}`
    const body = { cardType: 'MEAL', notificationUrl, cardReference }
    const { authUrl } = await ask('POST', '/ticket/tokens', ({ status }) => status === 200, body)
    const holder = { email: 'ana@example.com', card: 'meal-4321' }
    const url = await authorizeCard(openHolderBrowser(system.ready.sandboxUrl), authUrl, holder)
    const { token, status } = await untilTold(system, url, cardReference)
    if (status !== 'ACTIVE') throw new Error(`the token of ${cardReference} is ${status}`)
    await pay('TICKET', token)
    await ask('DELETE', `/tokens/${token}`, (answer) => answer.status === 204)
    holders += 1
  }
  const repeat = async (take: () => Promise<void>) => {
    while (!stopping && failures.length < FAILURES_MAX) {
      const began = Date.now()
      await take().catch((error: Error) => failures.push(error.message))
      await restAfter(began, REST_MS)
    }
  }
  const taking = Promise.all([repeat(takeNumber), repeat(takeHolder)])
  const stop = async () => {
    stopping = true
    await taking
  }
  return { givenBack, holders: () => holders, failures, stop }
}

/** Opens the page on which a holder comes back, again while its gateway restarts; waits for the notification. */
async function untilTold(
  system: System,
  url: string,
  inbox: string,
): Promise<{ token: string; status: string }> {
  await eventually(async () => void (await fetch(url)).status)
  const told = await eventually(async () => {
    const [post] = (await system.sandbox('GET', `/inbox/${inbox}`)) as { body: string }[]
    if (!post) throw new Error(`nothing was told of ${inbox}`)
    return JSON.parse(post.body)
  })
  // The sandbox keeps a limited number of inboxes, and those of the charges are still to be read.
  await system.sandbox('DELETE', `/inbox/${inbox}`)
  return told
}
