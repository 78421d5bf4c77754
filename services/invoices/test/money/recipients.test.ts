import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Split } from '@cofre/proto/invoices/v1/invoices'
import { MovementKind } from '@cofre/proto/invoices/v1/money'
import {
  ListEntriesRequest,
  ListRecipientsRequest,
  type Recipient,
} from '@cofre/proto/invoices/v1/recipients'
import { create, createRecipient, finalize, invoiceFor, newShop, PARTNER } from '../support/invoices'
import { startMoney, type TestMoney } from '../support/money'
import { withKey } from '../support/repeated'
import { newSeller } from '../support/start-invoices'

let on: TestMoney
beforeAll(async () => {
  on = await startMoney()
})
afterAll(() => on.stop())

const split = (recipientId: number, changes: Partial<Split>): Split => ({
  recipientId,
  amountInCents: undefined,
  percentageBps: undefined,
  liable: false,
  chargeProcessingFee: false,
  ...changes,
})

async function entriesOf(
  { sellerId, id: recipientId }: Recipient,
  changes: Partial<ListEntriesRequest> = {},
) {
  const { recipients } = on.boletos
  const request = ListEntriesRequest.fromPartial({ sellerId, recipientId, size: 100, ...changes })
  const { entries } = await callRpc(recipients, recipients.listEntries, request)
  return entries.map(({ kind, amount }) => [kind, amount])
}

/** A finalized invoice over 99.80: 15.00 for one recipient, a tenth for another. */
async function splitInvoice() {
  const shop = await newShop(on.boletos)
  const ana = await createRecipient(on.boletos, shop.sellerId)
  const rui = await createRecipient(on.boletos, shop.sellerId, { name: 'Rui' })
  const splits = [split(ana.id, { amountInCents: 1_500 }), split(rui.id, { percentageBps: 1_000 })]
  const invoice = await create(on.boletos, invoiceFor(shop, { splits }))
  await finalize(on.boletos, invoice)
  return { invoice, ana, rui }
}

describe('a recipient', () => {
  test('is registered, read, replaced and listed by its seller, and by no other', async () => {
    const { recipients } = on.boletos
    const sellerId = newSeller()
    const made = await createRecipient(on.boletos, sellerId, { reference: 'p-1' })
    expect(made).toMatchObject({ sellerId, fields: { ...PARTNER, reference: 'p-1' } })
    const one = { sellerId, recipientId: made.id }
    expect(await callRpc(recipients, recipients.getRecipient, one)).toEqual(made)
    const fields = { ...PARTNER, name: 'Ana Ltda.' }
    const replaced = await callRpc(recipients, recipients.replaceRecipient, { ...one, fields })
    expect(replaced).toMatchObject({ id: made.id, fields })
    await createRecipient(on.boletos, sellerId, { reference: 'p-2' })
    const list = (reference?: string) =>
      callRpc(
        recipients,
        recipients.listRecipients,
        ListRecipientsRequest.fromPartial({ sellerId, size: 10, reference }),
      )
    expect((await list()).total).toBe(2)
    expect((await list('p-2')).recipients).toMatchObject([{ fields: { reference: 'p-2' } }])
    const foreign = { sellerId: newSeller(), recipientId: made.id }
    for (const call of [
      () => callRpc(recipients, recipients.getRecipient, foreign),
      () => callRpc(recipients, recipients.replaceRecipient, { ...foreign, fields }),
      () =>
        callRpc(recipients, recipients.listEntries, ListEntriesRequest.fromPartial({ ...foreign, size: 1 })),
    ]) {
      await expect(call()).rejects.toMatchObject({ kind: 'not_found' })
    }
  })

  test('is refused without name and document; a repeated key registers one', async () => {
    const { recipients } = on.boletos
    const sellerId = newSeller()
    await expect(createRecipient(on.boletos, sellerId, { name: '', document: '' })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
      extra: { errors: [{ pointer: '#/name' }, { pointer: '#/document' }] },
    })
    const request = { sellerId, fields: PARTNER }
    const twice = [1, 2].map(() =>
      withKey('r1', () => callRepeatable(recipients, recipients.createRecipient, request)).catch(
        () => undefined,
      ),
    )
    await Promise.all(twice)
    const { response } = await withKey('r1', () =>
      callRepeatable(recipients, recipients.createRecipient, request),
    )
    const list = ListRecipientsRequest.fromPartial({ sellerId, size: 10 })
    expect((await callRpc(recipients, recipients.listRecipients, list)).recipients).toEqual([response])
  })
})

test('an invoice whose split names no recipient of its seller is refused at the place of it', async () => {
  const shop = await newShop(on.boletos)
  const { id } = await createRecipient(on.boletos, shop.sellerId)
  const { id: foreign } = await createRecipient(on.boletos, newSeller())
  const splits = [split(id, { amountInCents: 1 }), split(foreign, { percentageBps: 1 })]
  await expect(create(on.boletos, invoiceFor(shop, { splits }))).rejects.toMatchObject({
    reason: 'REFERENCE_NOT_FOUND',
    message: 'The request names a recipient that does not exist.',
    extra: { errors: [{ pointer: '#/splits/1/recipientId' }] },
  })
})

test('each movement of an invoice is an entry of each recipient; what goes back is owed back', async () => {
  const { invoice, ana, rui } = await splitInvoice()
  await on.recordPayment(invoice, { amount: 4_990 })
  await on.recordPayment(invoice, { amount: 4_000 })
  await on.writeOff(invoice)
  await on.recordReturn(invoice, 4_990)
  const { PAYMENT, RETURN } = MovementKind
  expect(await entriesOf(ana)).toEqual([
    [RETURN, -750],
    [PAYMENT, 601],
    [PAYMENT, 750],
  ])
  expect(await entriesOf(rui)).toEqual([
    [RETURN, -499],
    [PAYMENT, 400],
    [PAYMENT, 499],
  ])
  expect(await entriesOf(ana, { to: 1 })).toEqual([])
  const { recipients } = on.boletos
  const all = { sellerId: ana.sellerId, recipientId: ana.id, size: 2 }
  const first = await callRpc(recipients, recipients.exportEntries, ListEntriesRequest.fromPartial(all))
  expect(first).toMatchObject({ more: true, entries: [{ amount: -750 }, { amount: 601 }] })
  const after = first.entries.at(-1)?.id
  const next = await callRpc(
    recipients,
    recipients.exportEntries,
    ListEntriesRequest.fromPartial({ ...all, after }),
  )
  expect(next).toMatchObject({ more: false, entries: [{ amount: 750 }] })
})

test('eight payments at once make the entries of those that were taken', async () => {
  const { invoice, ana } = await splitInvoice()
  await Promise.allSettled(Array.from({ length: 8 }, () => on.recordPayment(invoice, { amount: 4_990 })))
  const amounts = (await entriesOf(ana)).map(([, amount]) => amount)
  expect(amounts).toEqual([750, 750])
})
