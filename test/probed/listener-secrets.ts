import { JSON_TYPE, type Product } from './product'

/** A listener as its owner knows it. Its answers are not among those that the search reads. */
export type OwnListener = { id: number; secret: string; heard(): Promise<Heard[]> }
export type Heard = { type: string; headers: Record<string, string>; body: string }

const PATH = '/api/v2/webhooks/listeners'

/** Makes a listener for all events, as `cofrectl listen` does, and repeats the request with its Idempotency-Key. */
export async function startListening({ ready }: Product): Promise<OwnListener> {
  const ask = async (method: string, path: string, more: RequestInit = {}) => {
    const headers = {
      ...JSON_TYPE,
      authorization: `Bearer ${ready.token}`,
      'idempotency-key': 'listener-canary',
    }
    const answer = await fetch(`${ready.baseUrl}${path}`, { method, headers, ...more })
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}`)
    return answer.json() as Promise<unknown>
  }
  const make = async () => (await ask('POST', PATH, { body: '{}' })) as { id: number; secret: string }
  const { id, secret } = await make()
  // The stored answer for the repeat has the secret, too.
  if ((await make()).secret !== secret) throw new Error('the repeat was answered with another secret')
  const heard = async () => {
    const { events } = (await ask('GET', `${PATH}/${id}/events?after=0&size=100`)) as { events: Heard[] }
    return events
  }
  return { id, secret, heard }
}

/** A signing secret in each form in which it may rest: as it is shown, and as its bytes. */
export function formsOfSecret(secret: string): string[] {
  const told = secret.replace(/^whsec_/, '')
  return [told, Buffer.from(told, 'base64').toString('latin1')]
}
