import { setTimeout as pause } from 'node:timers/promises'
import type { ChargeJson } from '@cofre/api/charge'
import type { Answer, Client } from './client'
import type { DoomedSystem } from './doomed-system'
import type { Entry, Ledger } from './ledger'
import type { Random } from '@cofre/testing/random'

/** A client that makes orders, and the ledger of its answers. */
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
/** The status and the body of an answer. */
type Told<T> = { status: number; body: T }

const THINKS_MS = { min: 10, max: 120 }
/** The due statuses of each operation that is not answered 201. */
const DUE: Partial<Record<Entry['operation'], readonly number[]>> = {
  metadata: [200],
  'network-token': [202],
  deactivation: [200],
  redirect: [200],
  'voucher-cancellation': [200],
  // A repeat after a lost answer finds the resource gone already.
  'voucher-deletion': [204, 404],
  'customer-deletion': [204, 404],
}
const RESOLVED_WITHIN_MS = 120_000
const RESOLVED_POLL_MS = 200

/** Repeats a request until it is answered. Undefined, with a breach, when the answer is not a due one. */
export async function request<T>(teller: Teller, wanted: Wanted): Promise<T | undefined> {
  return (await ask<T>(teller, wanted, DUE[wanted.operation] ?? [201]))?.body
}

/** Like `request`, with the due statuses given; also returns the status that came. */
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

/** Reads a charge until nothing of it is pending or the run is over. */
export async function untilResolved({ client, stopped }: Teller, chargeId: number): Promise<ChargeJson> {
  const until = Date.now() + RESOLVED_WITHIN_MS
  for (;;) {
    const { body } = await client({ method: 'GET', path: `/api/v2/charges/${chargeId}` })
    const charge = body as ChargeJson
    if (!isPending(charge) || stopped() || Date.now() > until) return charge
    await pause(RESOLVED_POLL_MS)
  }
}

/** True while the acquirer must still be asked about a part of the charge. */
export function isPending(charge: ChargeJson): boolean {
  return charge.status === 'PENDING' || charge.transactions.some(({ status }) => status === 'PENDING')
}
