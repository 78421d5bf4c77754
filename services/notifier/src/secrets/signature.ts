import { Webhook } from 'standardwebhooks'

export type Signed = {
  webhookId: string
  eventType: string
  resourceUrl: string
  traceparent: string
  body: string
}

/** How the ids of samples begin, which sellers ask for: of every attempt it is known what it is. */
export const TEST_ID = 'evt_test_'

/**
 * The headers of one attempt, as Standard Webhooks says. The timestamp is the attempt's own, so a receiver may refuse
 * what is older than a few minutes. Each secret signs: after a rotation, both do for a while.
 */
export function signedHeaders(message: Signed, secrets: readonly string[], at: Date): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(message.webhookId, at, message.body))
  return {
    'content-type': 'application/json',
    'user-agent': 'Cofre/1.0',
    'webhook-id': message.webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
    'webhook-event': message.eventType,
    'webhook-resource': message.resourceUrl,
    ...(message.webhookId.startsWith(TEST_ID) ? { 'webhook-test': 'true' } : {}),
    traceparent: message.traceparent,
  }
}
