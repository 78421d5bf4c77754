import { advancedSchema, clockSchema } from '@cofre/api/recurring/billing-clock'
import { epochMs } from '@cofre/api/schema'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { AdvanceClockResponse } from '@cofre/proto/invoices/v1/clock'
import { z } from 'zod'
import { route } from '../../http/route'

const CLOCK = '/api/v2/sandbox/clock'
const tag = 'Sandbox'
/** Enough for a year of many recurring invoices. The service stops in time to answer how far it came. */
const ADVANCING = { timeoutMs: 28_000 }

const advanceRequestSchema = z
  .object({ to: epochMs() })
  .meta({ id: 'ClockAdvanceRequest', examples: [{ to: 1_803_783_600_000 }] })

const getClock = route({
  method: 'GET',
  path: CLOCK,
  scope: 'public',
  operationId: 'getBillingClock',
  tag,
  summary: 'Read the billing clock',
  description:
    'The clock that billing uses. Only a sandbox has a clock that you can move; elsewhere the answer is 404. The sandbox of other companies asks for it too, so that a boleto is paid on the day that you reached.',
  responses: { 200: { description: 'The clock.', schema: clockSchema } },
  problems: ['NOT_FOUND'],
  handle: (_request, { services: { clock } }) => callRpc(clock, clock.getClock, {}),
  present: ({ now }) => ({ status: 200, body: { now } }),
})

const advanceClock = route({
  method: 'POST',
  path: `${CLOCK}/advance`,
  scope: 'invoices:write',
  operationId: 'advanceBillingClock',
  tag,
  summary: 'Move the billing clock forward',
  description:
    'Cofre does everything that falls due on the way, in order: it bills cycles, charges cards and sends e-mails. It answers when all is done. All sellers of the installation share the clock. It cannot be moved back: `npm start -- --fresh` begins anew, without any data. Only a sandbox has one; elsewhere the answer is 404.',
  body: { kind: 'json', schema: advanceRequestSchema, required: true, recorded: { to: true } },
  responses: { 200: { description: 'The clock, and what was done on the way.', schema: advancedSchema } },
  problems: ['NOT_FOUND', 'CLOCK_MOVES_FORWARD'],
  message: AdvanceClockResponse,
  handle: ({ sellerId, body: { to } }, { services: { clock } }) =>
    callRepeatable(clock, clock.advanceClock, { sellerId, to }, ADVANCING),
  present: (advanced) => ({ status: 200, body: { ...advanced } }),
})

export const billingClockRoutes = [getClock, advanceClock]
