import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { SigningSecret } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { route } from '../../http/route'

const tag = 'Notifications'
/** A signing secret. */
export const secretSchema = z
  .object({ secret: z.string().meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }) })
  .meta({ id: 'SigningSecret' })

const getSecret = route({
  method: 'GET',
  path: '/api/v2/webhooks/secret',
  scope: 'webhooks:read',
  operationId: 'getWebhookSecret',
  tag,
  summary: 'Read the secret that signs deliveries to a notificationUrl',
  description: 'Signatures follow Standard Webhooks: HMAC-SHA256 of id.timestamp.body.',
  responses: { 200: { description: 'The secret.', schema: secretSchema } },
  handle: ({ sellerId }, { services: { notifier } }) =>
    callRpc(notifier, notifier.getSigningSecret, { sellerId }),
  present: ({ secret }) => ({ status: 200, body: { secret } }),
})

const rotateSecret = route({
  method: 'POST',
  path: '/api/v2/webhooks/secret/rotate',
  scope: 'webhooks:write',
  operationId: 'rotateWebhookSecret',
  tag,
  summary: 'Rotate the signing secret',
  description:
    'For 24 hours, deliveries also carry a signature of the old secret. If the old secret leaked, verify with the new secret alone at once.',
  responses: { 200: { description: 'The new secret.', schema: secretSchema } },
  message: SigningSecret,
  handle: ({ sellerId }, { services: { notifier } }) =>
    callRepeatable(notifier, notifier.rotateSigningSecret, { sellerId }),
  present: ({ secret }) => ({ status: 200, body: { secret } }),
})

export const webhookRoutes = [getSecret, rotateSecret]
