import { randomBytes, randomUUID } from 'node:crypto'
import type { Partner, PartnerCall, PartnerOutcome } from '@cofre/platform/outbound/partner-call'

type Authentication = {
  id: string
  status: 'CHALLENGE' | 'AUTHENTICATED' | 'REJECTED' | 'UNAVAILABLE'
  /** The body of the request as it arrived. */
  asked: {
    card: { number: string; expiration: string }
    amount: number
    returnUrl: string
    merchantName: string
  }
  value: string
}

/** A small 3-D Secure server. The card's last digit: 1 challenge, 0 authenticated, 2 rejected, else unavailable. */
export class SmallAuthenticationServer implements Partner {
  readonly authentications: Authentication[] = []
  /** The faults of the next calls, used up one by one. */
  readonly faults: ('unknown' | 'not_sent' | 'http_500' | 'nonsense')[] = []
  /** Runs before each answer: a test makes it wait. */
  before: () => Promise<void> = async () => {}

  get last(): Authentication {
    const last = this.authentications.at(-1)
    if (!last) throw new Error('nobody was asked to authenticate')
    return last
  }

  /** Sets the payer's decision on the issuer's page. */
  decide(status: 'AUTHENTICATED' | 'REJECTED'): void {
    this.last.status = status
  }

  async call({ method, path, body }: PartnerCall): Promise<PartnerOutcome> {
    await this.before()
    const fault = this.faults.shift()
    if (fault === 'not_sent' || fault === 'unknown') return { outcome: fault, reason: 'a test' }
    if (fault === 'http_500') return answer(500, {})
    if (fault === 'nonsense') return answer(200, { id: '..', status: 'MAYBE' })
    if (method === 'POST') return answer(201, present(this.begin(JSON.parse(body as string))))
    const found = this.authentications.find(({ id }) => path === `/authentications/${id}`)
    return found ? answer(200, present(found)) : answer(404, {})
  }

  async close(): Promise<void> {}

  private begin(asked: Authentication['asked']): Authentication {
    const plans = { '0': 'AUTHENTICATED', '1': 'CHALLENGE', '2': 'REJECTED' } as const
    const status = plans[asked.card.number.slice(-1) as keyof typeof plans] ?? 'UNAVAILABLE'
    const made = { id: randomUUID(), status, asked, value: randomBytes(20).toString('base64') }
    this.authentications.push(made)
    return made
  }
}

function present({ id, status, value }: Authentication) {
  const proof = status === 'AUTHENTICATED' ? { eci: '05', authenticationValue: value } : { eci: '07' }
  const challengeUrl = status === 'CHALLENGE' ? `https://acs.example.com/${id}` : null
  return { id, status, version: '2.2.0', dsTransactionId: id, challengeUrl, ...proof }
}

function answer(status: number, body: object): PartnerOutcome {
  const headers = { 'content-type': 'application/json' }
  return { outcome: 'answered', answer: { status, headers, body: Buffer.from(JSON.stringify(body)) } }
}
