import type { Partner } from '@cofre/platform/outbound/partner-call'
import { createLog } from '@cofre/platform/telemetry/log'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { PixBank } from '../../services/invoices/src/pix/bank/pix-bank'
import { openRestPixBank } from '../../services/invoices/src/pix/bank/rest-pix-bank'
import type { PixRefund } from '../../services/invoices/src/pix/rules/pix-refund'

let network: TestNetwork
let bank: PixBank
/** The bank's next answer, and what it was asked. */
const next = { status: 200, body: {} as object }
const asked: { method: string; path: string; body?: string | undefined }[] = []

beforeAll(async () => {
  network = await openTestNetwork()
  const partner: Partner = {
    close: async () => {},
    call: async ({ method, path, body }) => {
      asked.push({ method, path, body: typeof body === 'string' ? body : undefined })
      const answer = { status: next.status, headers: {}, body: Buffer.from(JSON.stringify(next.body)) }
      return { outcome: 'answered', answer }
    },
  }
  const vault = createVault({ partner })
  const { address } = await network.serve('vault', vault.services(createLog('vault', 'silent')))
  bank = openRestPixBank(await network.clientOf(VaultClient, address, 'invoices'))
})
afterAll(() => network.close())

const REFUND = {
  sellerId: 1,
  account: 'key',
  endToEndId: 'E'.repeat(32),
  number: 'n1',
  amount: 2_005,
} as PixRefund
const problem = (type: string) => ({
  type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
  title: '-',
  status: 0,
})
const soon = () => Date.now() + 30_000

const MADE = {
  id: 'n1',
  rtrId: 'D1',
  valor: '20.05',
  horario: { solicitacao: '2026-07-09T12:15:00Z' },
  status: 'EM_PROCESSAMENTO',
}

test('a return is asked for by our number, in reais', async () => {
  Object.assign(next, { status: 201, body: MADE })
  expect(await bank.giveBack(REFUND, soon())).toEqual({
    result: 'found',
    found: {
      number: 'n1',
      nature: 'ORIGINAL',
      amount: 2_005,
      status: 'PENDING',
      at: Date.parse('2026-07-09T12:15:00Z'),
      refusal: '-',
    },
  })
  const path = `/pix/${'E'.repeat(32)}/devolucao/n1`
  expect(asked.at(-1)).toEqual({ method: 'PUT', path, body: '{"valor":"20.05"}' })
})

test.each([
  [400, problem('PixDevolucaoInvalida'), { result: 'refused', code: 'PixDevolucaoInvalida' }],
  [404, problem('PixNaoEncontrado'), { result: 'refused', code: 'PixNaoEncontrado' }],
  [422, {}, { result: 'refused', code: '-' }],
  [404, {}, { result: 'unknown' }],
  [408, {}, { result: 'unknown' }],
  [500, problem('ErroInternoDoServidor'), { result: 'unknown' }],
  [503, {}, { result: 'unknown' }],
  [201, { ...MADE, valor: '20,05' }, { result: 'unknown' }],
  // Turned away unread: asked for again later.
  [401, {}, { result: 'not_sent' }],
  [403, problem('AcessoNegado'), { result: 'not_sent' }],
  [429, {}, { result: 'not_sent' }],
])('giving back: %i with %j', async (status, body, result) => {
  Object.assign(next, { status, body })
  expect(await bank.giveBack(REFUND, soon())).toEqual(result)
})

test.each([
  [404, problem('PixDevolucaoNaoEncontrada'), 'absent'],
  // The Pix, or the address, is unknown: that proves nothing about the return.
  [404, problem('PixNaoEncontrado'), 'unknown'],
  [404, {}, 'unknown'],
  [403, {}, 'not_sent'],
  [200, { ...MADE, status: 'OUTRO' }, 'unknown'],
  [200, { ...MADE, status: 'DEVOLVIDO', natureza: 'MED_FRAUDE' }, 'found'],
])('asking about it: %i with %j is %s', async (status, body, result) => {
  Object.assign(next, { status, body })
  expect(await bank.findReturn(REFUND, soon())).toMatchObject({ result })
})
