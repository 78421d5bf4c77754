import { addDays, startOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import { PaymentMethod, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { BankAccountType, Lateness } from '@cofre/proto/invoices/v1/money'
import { PixPermissionStatus, type PixCollection, type PixPermission } from '@cofre/proto/invoices/v1/pix'
import { CollectionMethod, type RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import { collect } from '../../sandbox/src/pix/automatic/collect'
import { cancelOpenCharges, isOpen } from '../../sandbox/src/pix/automatic/cobr'
import { moveRec, type Ending, type Rec, type RecStatus } from '../../sandbox/src/pix/automatic/rec'
import { moveClock, now } from '../../services/invoices/src/clock/billing-clock'
import {
  advancePermission,
  takeDuePermissions,
} from '../../services/invoices/src/recurring/pix-automatic/advance-permission'
import { collectByPix } from '../../services/invoices/src/recurring/pix-automatic/collect-by-pix'
import { billCycles } from '../../services/invoices/src/recurring/billing/bill-cycles'
import { newShop, type Shop } from '../../services/invoices/test/support/invoices'
import {
  billAll,
  createRecurring,
  cycleInvoices,
  recurringFor,
} from '../../services/invoices/test/support/recurring'
import { ANA, look, PIX_KEY, type TestPix } from './start-pix'

const MORNING_MS = 9 * 3_600_000
const { CREDIT_CARD, PIX } = PaymentMethod
const without = { cardSettings: undefined, boletoSettings: undefined, pixSettings: undefined }

/** Has it be the morning of a day, for the service and for the bank. */
export function atDay({ bank }: TestPix, day: string): void {
  moveClock(0)
  moveClock(startOf(day) + MORNING_MS - now())
  Object.assign(bank, { now: () => Promise.resolve(now()) })
}

/** A seller with a Pix account and an account for what is collected. */
export async function newPixShop(pix: TestPix): Promise<Shop> {
  const shop = await newShop(pix)
  pix.accounts.enabled.set(shop.sellerId, PIX_KEY)
  await callRpc(pix.money, pix.money.replaceBillingSettings, {
    sellerId: shop.sellerId,
    settings: {
      lateness: Lateness.DEMAND,
      holidays: [],
      cardFees: [],
      pixReceiver: { branch: '0001', account: '1234567', type: BankAccountType.CHECKING },
      contact: undefined,
    },
  })
  return shop
}

type Recurring = NonNullable<Parameters<typeof recurringFor>[1]>
type Terms = NonNullable<Recurring['terms']>
type Changes = Omit<Recurring, 'terms'> & { terms?: Partial<Terms> }
const TERMS = {
  splits: [],
  notificationUrl: '',
  successUrl: '',
  partialPayments: false,
  discounts: [],
  fine: undefined,
  interest: undefined,
}

/** Monthly from 31 January 2055 on, charged automatically by card or Pix, with `changes`. */
export async function permittable(
  pix: TestPix,
  { terms, ...changes }: Changes = {},
): Promise<RecurringInvoice> {
  const shop = await newPixShop(pix)
  const acceptedMethods = [CREDIT_CARD, PIX].map((method) => ({ ...without, method }))
  return createRecurring(
    pix,
    recurringFor(shop, {
      collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY,
      terms: { ...TERMS, acceptedMethods, ...terms },
      ...changes,
    }),
  )
}

type Key = Pick<RecurringInvoice, 'sellerId' | 'id'>
const keyOf = ({ sellerId, id }: Key) => ({ sellerId, recurringInvoiceId: id })

export async function ask({ recurring }: TestPix, key: Key): Promise<PixPermission> {
  const { pixPermission } = await callRpc(recurring, recurring.createPixPermission, keyOf(key))
  if (!pixPermission) throw new Error('no permission')
  return pixPermission
}

export function cancelPermission({ recurring }: TestPix, key: Key): Promise<PixPermission> {
  return callRpc(recurring, recurring.cancelPixPermission, keyOf(key))
}

export async function permissionOf({ recurring }: TestPix, key: Key): Promise<PixPermission | undefined> {
  return (await callRpc(recurring, recurring.getRecurringInvoice, keyOf(key))).pixPermission
}

export function recOf({ bank }: TestPix, { recId }: PixPermission): Rec {
  const rec = bank.recs.get(recId)
  if (!rec) throw new Error('the bank has no such permission')
  return rec
}

/** The payer decides in the app of their bank, which the seller's bank reports. */
export async function decide(pix: TestPix, permission: PixPermission, status: RecStatus) {
  const cancelamento = { solicitante: 'USUARIO_PAGADOR', codigo: 'SLDB', descricao: '-' }
  const endings: Partial<Record<typeof status, Ending>> = {
    REJEITADA: { rejeicao: { codigo: 'AP13', descricao: '-' } },
    CANCELADA: { cancelamento },
  }
  const change: Partial<Rec> = { payer: ANA, ending: endings[status] }
  const moved = moveRec(pix.bank, recOf(pix, permission), status, now(), change)
  if (status === 'CANCELADA') cancelOpenCharges(pix.bank, moved, cancelamento, now())
  await report(pix, { recs: [{ idRec: moved.idRec }] })
}

/** A recurring invoice whose payer has allowed Pix Automático. */
export async function permitted(
  pix: TestPix,
  changes: Changes = {},
): Promise<{ recurring: RecurringInvoice; permission: PixPermission }> {
  const recurring = await permittable(pix, changes)
  const permission = await ask(pix, recurring)
  await decide(pix, permission, 'APROVADA')
  await lookAtPermissions(pix)
  if ((await permissionOf(pix, recurring))?.status !== PixPermissionStatus.APPROVED)
    throw new Error('refused')
  return { recurring, permission }
}

/** Hands the service a notice of the bank. */
export async function report({ charges, pool }: TestPix, notice: object): Promise<void> {
  const { rows } = await pool.query<{ token: string }>('SELECT token FROM pix_accounts WHERE account = $1', [
    PIX_KEY,
  ])
  const body = Buffer.from(JSON.stringify(notice))
  await callRpc(charges, charges.takePixNotice, { token: rows[0]?.token ?? '', body })
}

/** Runs one turn of the sweeper over the permissions that are due. */
export async function lookAtPermissions({ deps, pool }: TestPix): Promise<void> {
  for (const id of await takeDuePermissions({ ...deps, pool }, 100)) await advancePermission(deps, id)
}

/** Lets days pass: Cofre bills and sends, the bank collects and reports, and Cofre looks. */
export async function passDays(pix: TestPix, from: string, days = 0): Promise<void> {
  for (let place = 0; place <= days; place += 1) {
    atDay(pix, addDays(from, place))
    await runJobs(pix)
    const news = [...collect(pix.bank, now()), ...pix.bank.cobrs.all().filter(isOpen)]
    await report(pix, { cobsr: news.map(({ txid }) => ({ txid })) })
    await look(pix)
    await lookAtPermissions(pix)
  }
}

export async function runJobs({ deps, pool }: TestPix): Promise<void> {
  await billAll(billCycles(deps), now())
  const job = collectByPix({ ...deps, pool })
  for (let seen = 1; seen > 0;) ({ seen } = await job.run(now()))
}

export function collectionOf({ charges }: TestPix, { sellerId, id }: Invoice): Promise<PixCollection> {
  return callRpc(charges, charges.getPixCollection, { sellerId, invoiceId: id })
}

export async function lastInvoice(pix: TestPix, recurring: RecurringInvoice): Promise<Invoice> {
  const invoice = (await cycleInvoices(pix, recurring)).at(-1)
  if (!invoice) throw new Error('no cycle was billed')
  return invoice
}

export async function lettersOf({ pool }: TestPix, { id }: Invoice): Promise<string[]> {
  const { rows } = await pool.query<{ kind: string }>(
    'SELECT kind FROM emails WHERE invoice_id = $1 ORDER BY id',
    [id],
  )
  return rows.map(({ kind }) => kind)
}

export function eventsOf({ pool }: TestPix, { id }: Key): Promise<string[]> {
  return pool
    .query<{ type: string }>(
      `SELECT type FROM outbox WHERE topic LIKE 'recurring-invoices%' AND key = $1 ORDER BY id`,
      [String(id)],
    )
    .then(({ rows }) => rows.map(({ type }) => type.replace('recurring_invoice.', '')))
}
