// Acts as an integrator, through the gateway's Service. Settings by environment: BASE_URL, TOKEN, SELLER, SANDBOX.
//
//   node load.js first                  stores a card, authorizes and captures a charge, and awaits a notification
//   node load.js run <file> [repeat]    four at a time while the file exists; with `repeat`, failed requests are sent
//                                       again under their key
//
// Ends with 1 when a request failed (with `repeat`: 60 times), or when a charge differs between us and the
// acquirer.
const { randomUUID } = require('node:crypto')
const { existsSync, readFileSync, writeFileSync } = require('node:fs')

const { BASE_URL, TOKEN, SELLER, SANDBOX, CARD_FILE = '/tmp/card' } = process.env
const AT_ONCE = 4
const CUSTOMER = { name: 'Ana Souza', document: '12345678909' }

async function send(method, path, body, key = randomUUID()) {
  const answer = await fetch(`${BASE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'idempotency-key': key },
    signal: AbortSignal.timeout(30_000),
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, body: await answer.json() }
}

async function must(status, ...request) {
  const answer = await send(...request)
  if (answer.status !== status)
    throw new Error(`${request[1]}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const authorization = (token, more = {}) => ({
  amount: 10_000,
  customer: CUSTOMER,
  payments: [{ paymentMethod: 'CREDIT_CARD', amount: 10_000, installments: 1, cardToken: { token } }],
  ...more,
})
const ORDERS = `/api/v2/sellers/${SELLER}/orders/credit-card/authorize`

async function first() {
  const card = await must(201, 'POST', '/api/v2/cards/tokens', {
    cardNumber: '4111111111111111',
    holder: { name: 'ANA SOUZA', document: '12345678909' },
    expiration: { year: 2099, month: 12 },
  })
  writeFileSync(CARD_FILE, card.token)
  const charge = await must(201, 'POST', ORDERS, authorization(card.token))
  const captured = await must(201, 'POST', `/api/v2/charges/${charge.id}/capture`, {})
  const direct = await must(201, 'POST', `/api/v2/sellers/${SELLER}/orders/credit-card/charge`, {
    amount: 4_990,
    installments: 1,
    customer: CUSTOMER,
    cardToken: { token: card.token },
    notificationUrl: `${SANDBOX}/inbox/first`,
  })
  const told = await receiverWasTold('first')
  say(
    `charge ${charge.id}: ${charge.status}, then ${captured.status}; charge ${direct.id}: ${direct.status}, ` +
      `the receiver was told: ${told}`,
  )
}

/** Resolves with the type of the first event that the receiver got. */
async function receiverWasTold(inbox) {
  const until = Date.now() + 15_000
  while (Date.now() < until) {
    const [message] = await (await fetch(`${SANDBOX}/inbox/${inbox}`)).json()
    if (message) return JSON.parse(message.body).type
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the receiver was not told')
}

async function run(file, repeat) {
  const token = readFileSync(CARD_FILE, 'utf8')
  const began = Date.now()
  const seen = { took: [], failed: [], charges: [], repeated: 0 }
  const one = async () => {
    while (existsSync(file)) await oneCharge(token, seen, repeat)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  const seconds = Math.round((Date.now() - began) / 1_000)
  const { wrong, pending } = await notAsTold(seen.charges)
  seen.took.sort((a, b) => a - b)
  const at = (share) => Math.round(seen.took[Math.floor(seen.took.length * share)] ?? 0)
  for (const failure of seen.failed.slice(0, 10)) say(failure)
  say(
    `${seen.took.length} charges in ${seconds} s, ${seen.failed.length} failed` +
      `${repeat ? `, ${seen.repeated} requests sent again under their key` : ''}; ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${pending} were PENDING at first; ${wrong} differ at the acquirer`,
  )
  if (wrong > 0 || seen.failed.length > 0) process.exitCode = 1
}

async function oneCharge(token, seen, repeat) {
  const key = randomUUID()
  const since = Date.now()
  for (let attempt = 1; ; attempt++) {
    const { status, body } = await send('POST', ORDERS, authorization(token), key).catch((error) => ({
      status: `${error.cause?.code ?? error.name}`,
      body: error.message,
    }))
    if (status === 201) {
      seen.took.push(Date.now() - since)
      seen.charges.push(body)
      return
    }
    if (!repeat || attempt === 60) {
      seen.failed.push(`${new Date().toISOString()} ${status} ${JSON.stringify(body).slice(0, 300)}`)
      return
    }
    seen.repeated += 1
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/**
 * Counts the charges without an answer of the acquirer at first (`pending`), and those that differ there once it
 * is known (`wrong`): an authorized charge has one payment at the acquirer, a failed one none.
 */
async function notAsTold(charges) {
  let wrong = 0
  let pending = 0
  for (const charge of charges) {
    if (charge.status === 'PENDING') pending += 1
    const { status, payments } = await settled(charge)
    const order = payments[0].acquirer.orderNumber
    const known = await (await fetch(`${SANDBOX}/acquirer/payments?merchantOrderId=${order}`)).json()
    if (known.length !== { AUTHORIZED: 1, FAILED: 0 }[status]) {
      say(`charge ${charge.id}: ${charge.status}, then ${status}; ${known.length} payments at the acquirer`)
      wrong += 1
    }
  }
  return { wrong, pending }
}

async function settled(charge) {
  const until = Date.now() + 60_000
  let now = charge
  while (now.status === 'PENDING' && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    now = await must(200, 'GET', `/api/v2/charges/${charge.id}`)
  }
  return now
}

const say = (line) => process.stdout.write(`${line}\n`)
const [what, file, repeat] = process.argv.slice(2)
;(what === 'first' ? first() : run(file, repeat === 'repeat')).catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
