import { createHmac } from 'node:crypto'

export type Signed = {
  webhookId: string
  eventType: string
  resourceUrl: string
  traceparent: string
  body: string
}

/** The prefix of the ids of test events, by which a receiver knows them. */
export const TEST_ID = 'evt_test_'

/**
 * The headers of one attempt, by Standard Webhooks. The timestamp is the attempt's own, so a receiver may refuse
 * messages older than a few minutes. Each secret signs: for a while after a rotation, old and new do.
 */
export function signedHeaders(message: Signed, secrets: readonly string[], at: Date): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1_000)
  const signatures = secrets.map((secret) => signatureOf(message, seconds, secret))
  return {
    // Servers such as Fastify and Flask refuse a message that announces JSON and has none (RFC 9110, section 8.3).
    ...(message.body === '' ? {} : { 'content-type': 'application/json' }),
    'user-agent': 'Cofre/1.0',
    'webhook-id': message.webhookId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
    'webhook-event': message.eventType,
    'webhook-resource': message.resourceUrl,
    ...(message.webhookId.startsWith(TEST_ID) ? { 'webhook-test': 'true' } : {}),
    traceparent: message.traceparent,
  }
}

/** Standard Webhooks 1.0, symmetric, by `node:crypto`: the public library, in JavaScript, takes six times as long. */
function signatureOf({ webhookId, body }: Signed, seconds: number, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${webhookId}.${seconds}.${body}`).digest('base64')}`
}
