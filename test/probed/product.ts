import type { ServiceName } from '@cofre/platform/service/services'
import { startSystem, type System } from '../journeys/system'

export type Answer = { status: number; headers: Headers; text: string }
export type Sending = { headers?: Record<string, string>; body?: string | Uint8Array; token?: string | null }

/** The whole product, and every answer that it gave. */
export type Product = System & {
  ask(method: string, path: string, sending?: Sending): Promise<Answer>
  answers: { what: string; text: string }[]
}

// Other tests check the limits; here they would hide the answers of the routes.
const UNLIMITED = {
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  ANONYMOUS_PER_SECOND: '1000000',
  ANONYMOUS_BURST: '1000000',
  HTTP_MAX_IN_FLIGHT_PER_TOKEN: '1000',
  HTTP_MAX_IN_FLIGHT_PER_ADDRESS: '1000',
}
const ANSWER_TIMEOUT_MS = 60_000

/** Starts the product. `own`: further settings, by service. */
export async function startProduct(
  own: Partial<Record<ServiceName, Record<string, string>>> = {},
): Promise<Product> {
  const system = await startSystem(undefined, {
    adapt: (name, settings) => ({ ...settings, ...UNLIMITED, ...own[name] }),
  })
  const answers: Product['answers'] = []
  const ask: Product['ask'] = async (method, path, sending = {}) => {
    const { headers = {}, body, token = system.ready.token } = sending
    const response = await fetch(`${system.ready.baseUrl}${path}`, {
      method,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    const text = await response.text()
    const shown = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    answers.push({ what: `answer to ${method} ${path}`, text: `${shown}\n\n${text}` })
    return { status: response.status, headers: response.headers, text }
  }
  return { ...system, ask, answers }
}

export const JSON_TYPE = { 'content-type': 'application/json' }
