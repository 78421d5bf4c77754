import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Teller } from '../teller'
import { readCollectionsAtBank } from './automatic-books'

const RECURRING = '/api/v2/recurring-invoices'
const TRIES = 60
const POLL_MS = 250
const RECEIVER = { branch: '0001', account: '1234567', type: 'CHECKING' }

type Permission = { recId: string; status: string; firstCycle: number }

/** A recurring invoice whose payer permits Pix Automático: its first invoice is collected, its permission ends, or both at once. */
export async function tellAutomaticStory(teller: Teller, story: string): Promise<void> {
  const { random, system } = teller
  const id = await begin(teller, story)
  if (id === undefined) return
  const permission = `${RECURRING}/${id}/pix-permission`
  await post(teller, permission)
  const created = await until(teller, async () => stateOf(teller, permission, 'CREATED'))
  if (!created) return
  await act(teller, `/pix/recs/${created.recId}/accept`)
  const approved = await until(teller, async () => stateOf(teller, permission, 'APPROVED'))
  // The first cycle may have been billed before the permission was asked for.
  if (approved?.firstCycle !== 1) return
  const flying = await until(teller, async () => {
    const all = await readCollectionsAtBank(system)
    return all.find(({ idRec, status }) => idRec === created.recId && status === 'ATIVA')
  })
  if (!flying) return
  const settle = () => act(teller, `/pix/cobrs/${flying.txid}/settle`)
  const cancel = () => post(teller, `${permission}/cancel`)
  const steps = random.pick([[settle], [settle, cancel], [cancel]] as const)
  await Promise.all(steps.map((step) => step()))
}

/** A recurring invoice that begins today. */
async function begin(teller: Teller, story: string): Promise<number | undefined> {
  const name = `permitting-${story}`
  await teller.client({
    method: 'PUT',
    path: '/api/v2/invoices/settings',
    body: { lateness: 'WAIVE', pixReceiver: RECEIVER },
    key: randomUUID(),
  })
  const customer = await post(teller, '/api/v2/customers', { name, document: '12345678909' })
  const product = await post(teller, '/api/v2/products', { productType: 'ONETIME', name, value: 4_990 })
  const made = await post(teller, `/api/v2/sellers/${teller.system.ready.sellerId}/recurring-invoices`, {
    customerId: customer?.id,
    daysUntilDue: 5,
    billingFrequency: 'WEEKLY',
    collectionMethod: 'CHARGE_AUTOMATICALLY',
    acceptedPaymentMethods: [{ method: 'PIX' }],
    recurringItems: [{ productId: product?.id, quantity: 1, unitPriceInCents: 9_900 }],
  })
  return made?.id
}

async function post(teller: Teller, path: string, body?: object): Promise<{ id: number } | undefined> {
  const { status, body: answer } = await teller.client({ method: 'POST', path, body, key: randomUUID() })
  if (status < 300) return answer as { id: number }
  teller.ledger.breaches.push(`POST ${path} was answered ${status} ${JSON.stringify(answer)}`)
  return undefined
}

async function stateOf({ client }: Teller, path: string, wanted: string): Promise<Permission | undefined> {
  const { status, body } = await client({ method: 'GET', path })
  const permission = body as Permission
  return status === 200 && permission.status === wanted ? permission : undefined
}

/** What payers and their banks do. What has ended meanwhile is refused. */
async function act({ system }: Teller, path: string): Promise<void> {
  await fetch(`${system.ready.sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
}

/** Asks until there is an answer. Undefined: the run is over, or it took too long. */
async function until<T>({ stopped }: Teller, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let tries = 0; tries < TRIES && !stopped(); tries++) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await pause(POLL_MS)
  }
  return undefined
}
