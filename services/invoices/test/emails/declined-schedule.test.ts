import { addDays, startOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import { EmailLanguage } from '@cofre/proto/invoices/v1/invoices'
import { CollectionMethod, InvoiceTerms } from '@cofre/proto/invoices/v1/recurring'
import { moveClock } from '../../src/clock/billing-clock'
import { declineWith, keep } from '../support/dunning'
import { startMailing, type MailingInvoices } from '../support/emails'
import { newShop, type Shop } from '../support/invoices'
import { answerAsUsual, PAN } from '../support/payments'
import { createRecurring, recurringFor } from '../support/recurring'

/** The first cycle is billed on 31 January and due on Friday, 5 February. */
const DUE_DAY = '2055-02-05'
const PATIENT = { timeoutMs: 300_000 }

let invoices: MailingInvoices
let shop: Shop
beforeEach(async () => {
  moveClock(0)
  invoices = await startMailing({ billingClock: 'movable' })
  shop = await newShop(invoices)
  answerAsUsual(invoices)
})
afterEach(async () => {
  await invoices.stop()
  moveClock(0)
})

const decline = (changes: Parameters<typeof declineWith>[0]) => {
  invoices.behind.orders.hooks.outcome = declineWith(changes)
}
/** The customer keeps a card that is good at that time. */
const keepCard = () => {
  const until = { expirationYear: 2060, expirationMonth: 12 }
  return keep(invoices, shop, invoices.behind.vault.store(shop.sellerId, PAN, until).id)
}

/** A plan of Padaria Sol that charges the customer's card, with fine and interest. */
async function plan(language: EmailLanguage): Promise<void> {
  const asked = {
    language,
    collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY,
    sellerName: 'Padaria Sol',
  }
  const terms = InvoiceTerms.fromPartial({
    fine: { percentageBps: 200, startsAfterDays: 1 },
    interest: { monthlyPercentageBps: 100, startsAfterDays: 1 },
  })
  await createRecurring(invoices, recurringFor(shop, { ...asked, terms }))
}

type Arrived = { day: number; subject: string; text: string }

/** Lets the days go by, counted from the due day, and collects the letters of the first cycle. */
async function mailbox(from: number, to: number): Promise<Arrived[]> {
  const arrived: Arrived[] = []
  for (let day = from; day <= to; day += 1) {
    const until = startOf(addDays(DUE_DAY, day + 1)) - 1_000
    await callRpc(
      invoices.clock,
      invoices.clock.advanceClock,
      { sellerId: shop.sellerId, to: until },
      PATIENT,
    )
    for (const { subject = '', text = '' } of invoices.server.mails.splice(0)) {
      arrived.push({ day, subject, text })
    }
  }
  return arrived
}

const tableOf = (arrived: readonly Arrived[]) => arrived.map(({ day, subject }) => [day, subject])

test.each([
  [
    EmailLanguage.PORTUGUESE,
    [
      [0, 'Fatura 000001 de Padaria Sol: a cobrança no cartão não foi concluída, vamos tentar de novo'],
      [7, 'Fatura 000001 de Padaria Sol: não conseguimos cobrar seu cartão'],
    ],
    ['Vamos tentar de novo em 06/02/2055', 'Até 12/02/2055, não há multa nem juros.'],
    'O banco do cartão não aprovou a cobrança. Só o banco pode informar o motivo.',
  ],
  [
    EmailLanguage.ENGLISH,
    [
      [0, 'Invoice 000001 from Padaria Sol: your card was not charged, we will try again'],
      [7, 'Invoice 000001 from Padaria Sol: your card could not be charged'],
    ],
    ['We will try again on 6 February 2055', 'Until 12 February 2055 there is no fine and no interest.'],
    'The bank of the card did not approve the charge. Only the bank can say why.',
  ],
] as const)(
  'a card that is declined on each day of the schedule brings a letter on the first and on the last day (language %s)',
  async (language, table, first, why) => {
    await keepCard()
    decline({})
    await plan(language)
    const arrived = await mailbox(-6, 20)
    expect(tableOf(arrived)).toEqual(table)
    for (const part of [...first, why]) expect(arrived[0]?.text).toContain(part)
    for (const part of [first[1], why]) expect(arrived[1]?.text).toContain(part)
    for (const { text } of arrived) {
      expect(text).toMatch(/99[,.]80/)
      expect(text).toContain('https://pay.example.com/checkout/')
      expect(text).not.toMatch(/DO_NOT_HONOR|\b05\b(?!\/)|saldo|funds/)
    }
  },
)

test('a card that cannot be charged again brings one letter at once, and reminders on other days', async () => {
  await keepCard()
  decline({ code: 'EXPIRED_CARD', acquirerCode: '54', retryable: false })
  await plan(EmailLanguage.PORTUGUESE)
  const arrived = await mailbox(-6, 20)
  expect(tableOf(arrived)).toEqual([
    [0, 'Fatura 000001 de Padaria Sol: não conseguimos cobrar seu cartão'],
    [1, 'A fatura 000001 de Padaria Sol venceu em 05/02/2055'],
    [7, 'A fatura 000001 de Padaria Sol venceu em 05/02/2055'],
  ])
  expect(arrived[0]?.text).toContain('O cartão venceu ou sua validade mudou.')
})

test('a card that recovers brings the letter of its first decline, and its receipt', async () => {
  await keepCard()
  decline({})
  await plan(EmailLanguage.ENGLISH)
  const before = await mailbox(-6, 2)
  answerAsUsual(invoices)
  expect(tableOf([...before, ...(await mailbox(3, 20))])).toEqual([
    [0, 'Invoice 000001 from Padaria Sol: your card was not charged, we will try again'],
    [3, 'Receipt for invoice 000001 from Padaria Sol'],
  ])
})

test('without a card the payer is asked by the invoice and its reminders, never twice on a day', async () => {
  await plan(EmailLanguage.PORTUGUESE)
  const arrived = await mailbox(-6, 20)
  expect(tableOf(arrived)).toEqual([
    [-5, 'Fatura 000001 de Padaria Sol: vence em 05/02/2055'],
    [-3, 'Lembrete: a fatura 000001 de Padaria Sol vence em 05/02/2055'],
    [0, 'A fatura 000001 de Padaria Sol vence hoje'],
    [1, 'A fatura 000001 de Padaria Sol venceu em 05/02/2055'],
    [7, 'A fatura 000001 de Padaria Sol venceu em 05/02/2055'],
  ])
})
