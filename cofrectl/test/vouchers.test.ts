import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { createLog } from '@cofre/platform/telemetry/log'
import { VoucherPayment, VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { createVouchers } from '@cofre/testing/stand-ins/vouchers'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { partnersAllowed } from '../../local/src/partners'
import { cofrectl } from '../src/cofrectl'
import { PARTNER_CREDENTIALS } from '../src/partner-credentials'

const MADE_AT = 1_767_225_600_000
const PAYMENT = VoucherPayment.fromPartial({
  id: 31,
  sellerId: 9,
  status: VoucherPaymentStatus.PAID,
  amount: 3_500,
  cardBrand: 'ALELO',
  orderNumber: 'A1',
  createdAt: MADE_AT,
  updatedAt: MADE_AT,
})
const ROOT = join(__dirname, '../..')
type Allowed = {
  accountsOf?: string
  credentials?: Record<string, string>
  bodyCredentials?: Record<string, string>
  oauth?: object
  clientCertificate?: boolean
}
const CHAVE = 'K'.repeat(40)

let network: TestNetwork
let vouchers: ReturnType<typeof createVouchers>
const asked: { rpc: string; request: unknown }[] = []
let dir: string
let env: Record<string, string>

beforeAll(async () => {
  network = await openTestNetwork()
  const onCall = (rpc: string, request: unknown) => void asked.push({ rpc, request })
  const log = createLog('test', 'silent')
  vouchers = createVouchers({ onCall })
  vouchers.payments.set(PAYMENT.id, PAYMENT)
  const vaultServer = await network.serve('vault', createVault({ onCall }).services(log))
  const vouchersServer = await network.serve('vouchers', vouchers.services(log))
  dir = mkdtempSync(join(tmpdir(), 'cofrectl-vouchers-'))
  const write = (name: string, text: string) => (writeFileSync(join(dir, name), text), join(dir, name))
  const { ca, cert, key } = await network.tlsFor('cofrectl')
  env = {
    COFRE_VAULT_ADDRESS: vaultServer.address,
    COFRE_VOUCHERS_ADDRESS: vouchersServer.address,
    COFRE_TLS_CA_FILE: write('authority.crt', ca),
    COFRE_TLS_CERT_FILE: write('cofrectl.crt', cert),
    COFRE_TLS_KEY_FILE: write('cofrectl.key', key),
  }
})
beforeEach(() => {
  asked.splice(0)
  vouchers.pending.splice(0)
})
afterAll(async () => {
  await network.close()
  rmSync(dir, { recursive: true })
})

async function run(args: string[], given: { input?: string; env?: Record<string, string> } = {}) {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const input = Readable.from([given.input ?? ''])
  const code = await cofrectl(args, { input, output, errors, env: given.env ?? env, cwd: '/' })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, out: text(output), err: text(errors) }
}

describe('account put', () => {
  const put = ['account', 'put', '--seller', '9', '--partner', 'vr', '--name', '4711', '--credentials-file']
  const credentials = { estabelecimento: '4711', chave: CHAVE }
  const wanted = { sellerId: 9, partner: 'vr', name: '4711', credentials, preference: 0 }

  test('stores a seller’s credentials in the vault, from standard input or a file, and shows none', async () => {
    const file = join(dir, 'credentials.json')
    writeFileSync(file, JSON.stringify(credentials))
    for (const [from, input] of [
      ['-', JSON.stringify(credentials)],
      [file, ''],
    ] as const) {
      const { code, out, err } = await run([...put, from], { input })
      expect([code, out]).toEqual([0, 'seller   9\npartner  vr\nname     4711\n'])
      expect(out + err).not.toContain(CHAVE)
    }
    expect(asked).toEqual([
      { rpc: 'putAccount', request: expect.objectContaining(wanted) },
      { rpc: 'putAccount', request: expect.objectContaining(wanted) },
    ])
  })

  test('reads a credential of several lines from a file of its own', async () => {
    const file = join(dir, 'shop.crt')
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    const more = ['--credential-file', `certificate=${file}`]
    expect(await run([...put, '-', ...more], { input: JSON.stringify(credentials) })).toMatchObject({
      code: 0,
    })
    const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
    const whole = { credentials: { ...credentials, certificate } }
    expect(asked).toMatchObject([{ rpc: 'putAccount', request: whole }])

    const unnamed = await run([...put, '-', '--credential-file', file], {
      input: JSON.stringify(credentials),
    })
    expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining('must be name=file')])
  })

  test('answers in JSON', async () => {
    const { out } = await run([...put, '-', '--json'], { input: JSON.stringify(credentials) })
    expect(JSON.parse(out)).toEqual({ sellerId: 9, partner: 'vr', name: '4711' })
  })

  test.each([`{"chave": "${CHAVE}"`, `{"chave": {"of": "${CHAVE}"}}`, `"${CHAVE}"`, 'null'])(
    'credentials other than an object of strings are refused and not shown: %#',
    async (input) => {
      const { code, out, err } = await run([...put, '-'], { input })
      expect([code, out, asked]).toEqual([2, '', []])
      expect(err).toContain('must be a JSON object whose values are strings')
      expect(err).not.toContain(CHAVE)
    },
  )

  test.each([
    [[...put, '/none'], '/none cannot be read'],
    [[...put, '-'], 'credentials is empty'],
    [put.slice(0, -3), '--name'],
  ])('a missing part is named, %#', async (args, words) => {
    const { code, err } = await run(args)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })
})

test('account remove names what it removed', async () => {
  const { code, out } = await run(['account', 'remove', '--seller', '9', '--partner', 'vr', '--name', '4711'])
  expect([code, out]).toEqual([0, 'seller   9\npartner  vr\nremoved  4711\n'])
})

describe('account list', () => {
  test('names the credentials that are set and those that are missing', async () => {
    const { code, out } = await run(['account', 'list', '--seller', '9'])
    expect([code, out]).toEqual([
      0,
      'PARTNER  NAME     CREDENTIALS  MISSING  SINCE                     CERTIFICATE UNTIL\n' +
        'bank     1234567  convenio     chave    2026-01-01T00:00:00.000Z  -\n',
    ])
    expect(asked).toEqual([{ rpc: 'listAccounts', request: { sellerId: 9 } }])
    const { out: json } = await run(['account', 'list', '--seller', '9', '--json'])
    expect(JSON.parse(json)).toMatchObject({ accounts: [{ partner: 'bank' }], more: false })
    expect((await run(['account', 'list'])).code).toBe(2)
  })
})

test('the help of account put names every partner that has accounts, with its credentials', async () => {
  const named = Object.fromEntries(
    Object.entries(PARTNER_CREDENTIALS).map(([partner, example]) => [
      partner,
      Object.keys(example).toSorted(),
    ]),
  )
  const wanted = new Map<string, Set<string>>()
  for (const [name, setting] of Object.entries(partnersAllowed(ROOT)) as [string, Allowed][]) {
    const at = setting.accountsOf ?? name
    const credentials = [
      ...Object.values({ ...setting.credentials, ...setting.bodyCredentials }),
      ...(setting.oauth ? ['clientId', 'clientSecret'] : []),
      ...(setting.clientCertificate ? ['certificate', 'privateKey'] : []),
    ]
    wanted.set(at, new Set([...(wanted.get(at) ?? []), ...credentials]))
  }
  expect(named).toEqual(Object.fromEntries([...wanted].map(([at, names]) => [at, [...names].toSorted()])))
  const { out } = await run(['account', 'put', '--help'])
  for (const name of [...wanted.keys(), ...[...wanted.values()].flatMap((names) => [...names])]) {
    expect(out).toContain(name)
  }
})

describe('voucher list --pending', () => {
  test('lists long-pending operations, of all sellers or of one', async () => {
    vouchers.pending.push({ ...PAYMENT, status: VoucherPaymentStatus.PENDING, pendingOperation: 'PAYMENT' })
    vouchers.pending.push({ ...PAYMENT, id: 32, orderNumber: 'B2', pendingOperation: 'CANCELLATION' })
    const { code, out } = await run(['voucher', 'list', '--pending'])
    expect([code, out]).toEqual([
      0,
      'SELLER  PAYMENT  OPERATION     BRAND  AMOUNT  ORDER NUMBER  SINCE\n' +
        '9       31       PAYMENT       ALELO  3500    A1            2026-01-01T00:00:00.000Z\n' +
        '9       32       CANCELLATION  ALELO  3500    B2            2026-01-01T00:00:00.000Z\n',
    ])
    await run(['voucher', 'list', '--pending', '--seller', '9'])
    expect(asked.map(({ request }) => request)).toEqual([{}, { sellerId: 9 }])
    const { out: json } = await run(['--json', 'voucher', 'list', '--pending'])
    expect(JSON.parse(json)).toMatchObject({ payments: [{ id: 31 }, { id: 32 }], more: false })
  })

  test('says so when none is pending, and requires --pending', async () => {
    expect((await run(['voucher', 'list', '--pending'])).out).toBe('none\n')
    expect((await run(['voucher', 'list'])).code).toBe(2)
  })
})

describe('voucher resolve', () => {
  const which = ['voucher', 'resolve', '--seller', '9', '--payment', '31']

  test('closes an operation with its outcome, a reason and an author', async () => {
    const done = await run([...which, '--as', 'failed', '--reason', 'ticket 4711', '--by', 'ana'])
    expect([done.code, done.out]).toEqual([0, 'payment  31\nstatus   PAID\namount   3500\n'])
    const closed = { sellerId: 9, paymentId: 31, succeeded: false, reason: 'ticket 4711', resolvedBy: 'ana' }
    expect(asked).toEqual([{ rpc: 'resolvePayment', request: closed }])
    const mine = { env: { ...env, USER: 'bruno' } }
    expect((await run([...which, '--as', 'succeeded', '--reason', 'x'], mine)).code).toBe(0)
    expect(asked.at(-1)?.request).toMatchObject({ succeeded: true, resolvedBy: 'bruno' })
  })

  test("requires an outcome and a reason, and shows the service's refusal", async () => {
    expect((await run([...which, '--as', 'perhaps', '--reason', 'x'])).code).toBe(2)
    expect((await run([...which, '--as', 'failed'])).code).toBe(2)
    expect(asked).toEqual([])
    const other = [
      'voucher',
      'resolve',
      '--seller',
      '9',
      '--payment',
      '99',
      '--as',
      'failed',
      '--reason',
      'x',
    ]
    expect(await run(other)).toEqual({
      code: 1,
      out: '',
      err: 'cofrectl: NOT_FOUND: There is no such voucher payment.\n',
    })
  })
})

test('a vouchers service that does not answer is named', async () => {
  const away = { env: { ...env, COFRE_VOUCHERS_ADDRESS: '127.0.0.1:1' } }
  const { code, err } = await run(['voucher', 'list', '--pending'], away)
  expect([code, err]).toEqual([1, expect.stringContaining('vouchers at 127.0.0.1:1')])
})
