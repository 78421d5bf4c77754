import { setTimeout as pause } from 'node:timers/promises'
import type { ChargeJson } from '@cofre/api/charge'
import { INVOICES } from '../invoices/invoice-story'
import { payInvoice, take, type PaymentStep, type Way } from '../payments/payment-story'
import { refund } from '../refund'
import { tellAutomaticStory } from './automatic-story'
import { ask, isPending, request, untilResolved, type Teller } from '../teller'

const CODE_TRIES = 40
const PAID_TRIES = 80
const POLL_MS = 250
/** So long a charge may wait for its code: an order that nobody pays never ends. */
const CODE_WITHIN_MS = 120_000

type Step = PaymentStep | 'pix' | 'pix lost' | 'pix twice' | 'refund'

const WAYS: readonly Way<Step>[] = [
  ['pix'],
  ['pix lost'],
  ['pix twice'],
  ['boleto'],
  [['pix', 'boleto']],
  [['pix', 'pix']],
  [['pix', 'approved']],
  [['pix', 'void']],
  [['pix lost', 'void']],
  ['boleto', 'pix'],
  ['pix', 'refund', 'refund'],
  ['pix', ['refund', 'refund']],
  [
    ['pix', 'boleto'],
    ['refund', 'refund'],
  ],
  ['pix twice', ['refund', 'refund', 'refund']],
]

/** An invoice that a Pix pays, or a boleto that carries one, or both; or an order that a Pix pays. Then refunds. Or Pix Automático. */
export function tellPixStory(teller: Teller, story: string): Promise<void> {
  const { random } = teller
  if (random.chance(0.4)) return tellOrderStory(teller, story)
  if (random.chance(0.3)) return tellAutomaticStory(teller, story)
  return payInvoice(teller, story, random.pick(WAYS), async (invoiceId, step) => {
    if (step === 'refund') return refundInvoice(teller, story, invoiceId)
    if (step !== 'pix' && step !== 'pix lost' && step !== 'pix twice') {
      return take(teller, story, invoiceId, step)
    }
    const txid = await chargeInvoice(teller, story, invoiceId)
    if (txid !== undefined) await payAt(teller, { txid, times: step === 'pix twice' ? 2 : 1 }, step)
  })
}

/** Pays at the bank, also what was withdrawn or paid meanwhile: such a payment slips through. */
async function payAt({ system }: Teller, wanted: { txid: string; times: number }, step: Step): Promise<void> {
  const post = (path: string, body: object) =>
    fetch(`${system.ready.sandboxUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  if (step === 'pix lost') await post('/pix/webhooks/next', { kind: 'LOST' })
  await post('/pix/pay', { ...wanted, forced: true })
}

type AskedPix = { id: number; txid: string; copyAndPaste: string | null }

/** The txid of a charge once the bank has it. Undefined: the invoice takes no Pix any more. */
async function chargeInvoice(teller: Teller, story: string, invoiceId: number): Promise<string | undefined> {
  const wanted = { story, operation: 'pix' as const, method: 'POST' as const, body: undefined }
  for (let tries = 0; tries < CODE_TRIES && !teller.stopped(); tries++) {
    const path = `${INVOICES}/${invoiceId}/pix`
    const answer = await ask<AskedPix>(teller, { ...wanted, path }, [200, 201, 409, 422])
    if (!answer || answer.status >= 300) return undefined
    if (answer.body.copyAndPaste !== null) return answer.body.txid
    await pause(POLL_MS)
  }
  return undefined
}

/** Gives a part of an invoice's Pix back. It is refused when a boleto or a card paid, or when less is left. */
async function refundInvoice(teller: Teller, story: string, invoiceId: number): Promise<void> {
  const { client, random } = teller
  const at = `${INVOICES}/${invoiceId}`
  for (let tries = 0; tries < PAID_TRIES && !teller.stopped(); tries++) {
    const { body: invoice } = await client({ method: 'GET', path: at })
    const { status, amountInCents } = invoice as { status: string; amountInCents: number }
    if (status !== 'PAID') {
      await pause(POLL_MS)
      continue
    }
    const body = { amountInCents: random.int(1, Math.ceil(amountInCents * 0.7)), reason: 'returned' }
    const wanted = { story, operation: 'invoice-refund' as const, method: 'POST' as const, body }
    await ask(teller, { ...wanted, path: `${at}/refunds` }, [201, 400, 422])
    return
  }
}

async function tellOrderStory(teller: Teller, story: string): Promise<void> {
  const { random, system } = teller
  const body = {
    customer: { name: 'Ana Souza', document: '12345678909' },
    orderReference: story,
    notificationUrl: `${system.inbox}/${teller.name}`,
    amount: random.int(100, 50_000),
  }
  const path = `/api/v2/sellers/${system.ready.sellerId}/orders/pix`
  const made = await request<ChargeJson>(teller, { story, operation: 'charge', method: 'POST', path, body })
  const charge = made && (await untilCode(teller, made))
  const txid = charge?.payments[0]?.pix?.txid
  if (!charge || txid === undefined || charge.status !== 'PENDING') return
  const step = random.pick(['pix', 'pix', 'pix lost', 'pix twice'] as const)
  await payAt(teller, { txid, times: step === 'pix twice' ? 2 : 1 }, step)
  const paid = await untilResolved(teller, charge.id)
  if (!isPending(paid) && paid.capturedAmount > 0) await refund(teller, story, paid)
}

/** Reads a charge until its customer can pay it, or nobody can. */
async function untilCode({ client }: Teller, charge: ChargeJson): Promise<ChargeJson> {
  const until = Date.now() + CODE_WITHIN_MS
  let now = charge
  while (now.status === 'PENDING' && !now.payments[0]?.pix?.copyAndPaste && Date.now() < until) {
    await pause(POLL_MS)
    now = (await client({ method: 'GET', path: `/api/v2/charges/${charge.id}` })).body as ChargeJson
  }
  return now
}
