import { openPartner } from '@cofre/platform/outbound/partner-call'
import { RecurringInvoicesClient } from '@cofre/proto/invoices/v1/recurring'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { eventually } from '@cofre/testing/testing'
import { newShop } from '../support/invoices'
import { startKillable, type Killable } from '../support/killed'
import { withKey } from '../support/repeated'
import { SmallBank } from '../support/small-bank'
import { AGREEMENT } from '../support/start-boletos'
import { bookletFor, createBookletAgain } from '../support/start-booklets'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

/** The booklet's slips, 120 at most. When the setting is given, real time passes by itself. */
const LONG = process.env['KILLED_SLIPS']
const SLIPS = Number(LONG ?? 40)
/** The program is killed when these shares of the slips are registered. */
const KILLS = [0.2, 0.6]
const PATIENCE_MS = 600_000

let network: TestNetwork
let bank: SmallBank
let invoices: TestInvoices
let killable: Killable
beforeAll(async () => {
  network = await openTestNetwork()
  bank = new SmallBank(await network.authority.issue('bank'))
  await bank.start()
  const partner = openPartner(bank.url, { ca: network.authority.cert })
  network.onClose(() => partner.close())
  invoices = await startInvoices({ partner })
  killable = await startKillable(invoices)
})
afterAll(async () => {
  await killable.stop()
  await invoices.stop()
  await network.close()
  await bank.stop()
})

/** Lets a dead program's last call expire: before that, the bank's silence proves nothing about it. */
async function passTime(): Promise<void> {
  await invoices.pool.query(
    `UPDATE boletos SET dispatch_deadline = now() - interval '1 minute', ask_at = now() - interval '1 second' WHERE status = 'PENDING'`,
  )
}

test(
  'a service killed again and again during the registration of a booklet has each slip registered once',
  async () => {
    const { vault } = invoices.behind
    const shop = await newShop(invoices)
    vault.accounts.enabled.set(shop.sellerId, AGREEMENT)
    const kills = KILLS.map((share) => Math.ceil(share * SLIPS))
    let killed = 0
    vault.hooks.onCall = () => {
      if (bank.countOf('register') < (kills[killed] ?? Infinity)) return
      killed += 1
      killable.kill()
    }
    const clientOf = async () =>
      invoices.network.clientOf(RecurringInvoicesClient, `127.0.0.1:${await killable.port()}`, 'gateway')
    const request = bookletFor(shop, { charges: SLIPS })
    const create = (recurring: RecurringInvoicesClient) =>
      withKey('booklet', () => createBookletAgain({ recurring }, request))
    await expect(create(await clientOf())).rejects.toThrow()
    for (const kill of kills.keys()) {
      await eventually(async () => expect(killed).toBeGreaterThan(kill), PATIENCE_MS)
      await killable.startAgain(LONG ? undefined : passTime)
    }
    await eventually(async () => {
      const { rows } = await invoices.pool.query(
        `SELECT b.status, i.status AS invoice, count(*) AS count FROM boletos b JOIN invoices i ON i.id = b.invoice_id
         GROUP BY b.status, i.status`,
      )
      expect(rows).toEqual([{ status: 'REGISTERED', invoice: 'CLOSED', count: SLIPS }])
    }, PATIENCE_MS)

    // One number each at the bank, none withdrawn.
    const { rows } = await invoices.pool.query('SELECT our_number AS number FROM boletos ORDER BY our_number')
    expect([...bank.slips.keys()].toSorted()).toEqual(rows.map(({ number }) => number))
    expect([...bank.slips.values()].filter(({ cancelled }) => cancelled)).toEqual([])
    const repeat = await create(await clientOf())
    expect(repeat).toMatchObject({ replayed: true, response: { cyclesBilled: SLIPS } })
  },
  2 * PATIENCE_MS,
)
