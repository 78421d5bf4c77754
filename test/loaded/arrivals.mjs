// A program of its own, so that the test that watches does not hold up the steady rate of requests.
// node arrivals.mjs <plan as JSON> <file for the outcomes>. Each request leaves on time, earlier ones answered or not.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Pool } from 'undici'

const { url, path, token, cardToken, perSecond, seconds, name } = JSON.parse(process.argv[2])
const TICK_MS = 10
/** Longer than any request may take: an answer that has not come by then never comes. */
const PATIENCE_MS = 60_000
/**
 * Opened beforehand and kept open, as a load balancer does: an event loop accepts one connection a turn (libuv), so a
 * loop that is behind with its work would keep new connections waiting longest.
 */
const CONNECTIONS = 1_000
const gateway = new Pool(url, {
  connections: CONNECTIONS,
  pipelining: 1,
  headersTimeout: PATIENCE_MS,
  bodyTimeout: PATIENCE_MS,
})
const outcomes = []
const running = []

async function ask(nth) {
  const reference = `${name}-${nth}`
  const payments = [
    { paymentMethod: 'CREDIT_CARD', amount: 100, installments: 1, cardToken: { token: cardToken } },
  ]
  const customer = { name: 'Ana Souza', document: '12345678909' }
  const outcome = { reference, key: randomUUID(), askedAt: Date.now() }
  const began = performance.now()
  try {
    const { statusCode, headers, body } = await gateway.request({
      path,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': outcome.key,
      },
      body: JSON.stringify({ orderReference: reference, amount: 100, customer, payments }),
    })
    const answer = await body.json()
    Object.assign(outcome, { status: statusCode, retryAfter: headers['retry-after'], id: answer.id })
    outcome.says = statusCode === 201 ? answer.status : answer.code
  } catch (error) {
    outcome.error = error.code ?? error.name
  }
  outcome.ms = performance.now() - began
  outcomes.push(outcome)
}

async function look() {
  const { body } = await gateway.request({ path: '/healthz', method: 'GET' })
  await body.dump()
}
await Promise.all(Array.from({ length: CONNECTIONS }, look))

const began = performance.now()
let sent = 0
const ticking = setInterval(() => {
  const elapsed = Math.min(performance.now() - began, seconds * 1_000)
  for (const due = Math.floor((elapsed / 1_000) * perSecond); sent < due; sent++) running.push(ask(sent))
  if (elapsed < seconds * 1_000) return
  clearInterval(ticking)
  const endedAt = Date.now()
  void Promise.all(running).then(() => {
    writeFileSync(process.argv[3], JSON.stringify({ endedAt, outcomes }))
    process.exit(0)
  })
}, TICK_MS)
