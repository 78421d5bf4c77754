import type { DoomedSystem } from './doomed-system'
import { entriesOf, type Ledger } from './ledger'
import { tokenInbox } from './token-story'

type Booked = { token: string; reference: string; status: string; sequence: number; url: string }
type Issued = { reference: string; status: string; cryptograms: { merchantOrderId: string | null }[] }
type Message = { body: string; headers: Record<string, string> }

const STATUS: Record<string, string> = { ACTIVE: 'ACTIVE', INACTIVE: 'DELETED' }

/**
 * Checks that each request made one token here and one at the token service, in the same state; that the vault keeps
 * two numbers of each ACTIVE token and none of others; and that ACTIVE was notified once. (Only endpoints get its end.)
 */
export async function checkTokens(
  system: DoomedSystem,
  ledger: Ledger,
  tellers: readonly string[],
): Promise<string[]> {
  const all = await system.read<Booked>(
    'network_token',
    `SELECT token, reference, status, sequence, notification_url AS url FROM network_tokens`,
  )
  const issued = (await (await fetch(`${system.ready.sandboxUrl}/token-service/tokens`)).json()) as Issued[]
  const inboxes = tellers.map(tokenInbox)
  const booked = all.filter(({ url }) => inboxes.some((inbox) => url.endsWith(`/${inbox}`)))
  return [
    ...checkRequests(ledger, booked),
    ...checkIssued(all, issued),
    ...(await checkNumbers(system, all)),
    ...(await checkTold(system, inboxes, booked)),
  ]
}

function checkRequests(ledger: Ledger, booked: readonly Booked[]): string[] {
  const answered = entriesOf(ledger, 'network-token').filter(({ status }) => status === 202)
  const told = new Set(answered.map(({ answer }) => (answer as Booked).token))
  const ended = new Set(
    entriesOf(ledger, 'deactivation').flatMap(({ status, answer }) =>
      status === 200 ? [(answer as Booked).token] : [],
    ),
  )
  return [
    ...booked.flatMap(({ token }) =>
      told.has(token) ? [] : ['a network token was made that nobody was told of'],
    ),
    ...(booked.length === told.size
      ? []
      : [`${told.size} network tokens were asked for, ${booked.length} are there`]),
    ...booked.flatMap(({ token, status }) =>
      ended.has(token) === (status === 'INACTIVE')
        ? []
        : [`a network token is ${status}, ended: ${ended.has(token)}`],
    ),
  ]
}

function checkIssued(booked: readonly Booked[], issued: readonly Issued[]): string[] {
  const references = new Set(booked.map(({ reference }) => reference))
  const strangers = issued.filter(({ reference }) => !references.has(reference))
  return [
    ...strangers.map(({ reference }) => `the token service has ${reference}, which no token owns`),
    ...booked.flatMap(({ reference, status }) => {
      const there = issued.filter((one) => one.reference === reference)
      const same = there.length === 1 && there[0]?.status === STATUS[status]
      return same
        ? []
        : [`network token ${reference} is ${status}; there: ${there.map((one) => one.status).join()}`]
    }),
  ]
}

async function checkNumbers(system: DoomedSystem, booked: readonly Booked[]): Promise<string[]> {
  const [kept] = await system.read<{ cards: number; numbers: number }>(
    'vault',
    `SELECT count(*) FILTER (WHERE kind = 'token_card' AND kept_until IS NULL)::int AS cards,
       count(*) FILTER (WHERE kind = 'token_number')::int AS numbers FROM cards`,
  )
  const active = booked.filter(({ status }) => status === 'ACTIVE').length
  const right = kept?.cards === active && kept.numbers === active
  return right ? [] : [`${active} network tokens are active; the vault keeps ${JSON.stringify(kept)}`]
}

async function checkTold(
  system: DoomedSystem,
  inboxes: readonly string[],
  booked: readonly Booked[],
): Promise<string[]> {
  const heard = new Map<string, string[]>()
  const ids = new Set<string>()
  for (const inbox of inboxes) {
    const response = await fetch(`${system.ready.sandboxUrl}/inbox/${inbox}`)
    for (const { body, headers } of (await response.json()) as Message[]) {
      const { token, status } = JSON.parse(body) as Booked
      const id = headers['webhook-id'] ?? ''
      if (!ids.has(id)) heard.set(token, [...(heard.get(token) ?? []), status])
      ids.add(id)
    }
  }
  return booked.flatMap(({ token }) => {
    const told = (heard.get(token) ?? []).join(' ')
    return told === 'ACTIVE' ? [] : [`a network token was told of as: ${told}`]
  })
}
