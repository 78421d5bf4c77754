import { setTimeout as pause } from 'node:timers/promises'
import type { ChargeJson } from '@cofre/api/charge'
import type { Answer, Client } from './client'
import type { DoomedSystem } from './doomed-system'
import type { Entry, Ledger } from './ledger'
import type { Random } from './random'

/** A client that makes orders, and everything that it is told. */
export type Teller = {
  system: DoomedSystem
  client: Client
  random: Random
  ledger: Ledger
  /** Distinguishes the clients of all runs of one system; also the inbox that its notifications go to. */
  name: string
  stopped(): boolean
}

type Wanted = Pick<Entry, 'story' | 'operation' | 'method' | 'path' | 'body'>
/** What an answer tells: its status, and its body. */
type Told<T> = { status: number; body: T }

const THINKS_MS = { min: 10, max: 120 }
/** What each operation is answered, where it is not 201. */
const DUE: Partial<Record<Entry['operation'], readonly number[]>> = {
  metadata: [200],
  'network-token': [202],
  deactivation: [200],
  redirect: [200],
  'voucher-cancellation': [200],
  // Asked again after an answer that was lost, it is gone already.
  'voucher-deletion': [204, 404],
  'customer-deletion': [204, 404],
}
const SETTLED_WITHIN_MS = 120_000
const SETTLED_POLL_MS = 200

/** Makes a request until it is answered. Undefined, and a breach, when the answer is not the one that is due. */
export async function request<T>(teller: Teller, wanted: Wanted): Promise<T | undefined> {
  return (await ask<T>(teller, wanted, DUE[wanted.operation] ?? [201]))?.body
}

/** The same with the statuses that are due, and the one that came. */
export async function ask<T>(
  { client, ledger, random }: Teller,
  wanted: Wanted,
  due: readonly number[],
): Promise<Told<T> | undefined> {
  await pause(random.int(THINKS_MS.min, THINKS_MS.max))
  const { story, operation, method, path } = wanted
  const key = `${story}-${operation}-${random.int(1, 1e9)}`
  let told: Answer
  try {
    told = await client({ ...wanted, key })
  } catch (error) {
    ledger.breaches.push((error as Error).message)
    return undefined
  }
  const { status, body: answer, tries } = told
  ledger.entries.push({ ...wanted, key, status, answer, tries })
  if (due.includes(status)) return { status, body: answer as T }
  ledger.breaches.push(`${method} ${path} (${key}) was answered ${status} ${JSON.stringify(answer)}`)
  return undefined
}

/** The charge as soon as nothing of it is pending, or as it is when the run is over. */
export async function untilSettled({ client, stopped }: Teller, chargeId: number): Promise<ChargeJson> {
  const until = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    const { body } = await client({ method: 'GET', path: `/api/v2/charges/${chargeId}` })
    const charge = body as ChargeJson
    if (!isPending(charge) || stopped() || Date.now() > until) return charge
    await pause(SETTLED_POLL_MS)
  }
}

/** Whether the acquirer still has to be asked about anything of it. */
export function isPending(charge: ChargeJson): boolean {
  return charge.status === 'PENDING' || charge.transactions.some(({ status }) => status === 'PENDING')
}
