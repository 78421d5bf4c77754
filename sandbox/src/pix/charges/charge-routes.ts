import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Answer } from '../../partner-call'
import type { PixCall, PixRoute } from '../call'
import { chargeKey, termsOf, type Charge, type ChargeKind } from './charge'
import { presentCharge, presentWithPayments } from './charge-answer'
import { patchCharge, putCharge } from './charge-change'
import { cnpj, cpf, txid } from './charge-request'
import { flag, pageOf, readQuery } from '../paging'
import type { PixBank } from '../pix-bank'
import { PixRefusal } from '../pix-refusal'
import { read } from '../shape'

const WORDS = {
  cob: { missing: 'CobNaoEncontrado', invalid: 'CobOperacaoInvalida', query: 'CobConsultaInvalida' },
  cobv: { missing: 'CobVNaoEncontrada', invalid: 'CobVOperacaoInvalida', query: 'CobVConsultaInvalida' },
} as const

const path = z.object({ txid })
const revision = z.strictObject({ revisao: z.coerce.number().int().min(0).optional() })
const filters = {
  cpf: cpf.optional(),
  cnpj: cnpj.optional(),
  status: z.string().max(40).optional(),
  locationPresente: flag.optional(),
}

export const chargeRoutes: readonly PixRoute[] = [
  ['post', '/cob', 'cob.write', (bank, call) => put(bank, call, 'cob', randomUUID().replaceAll('-', ''))],
  ...(['cob', 'cobv'] as const).flatMap((kind): PixRoute[] => [
    ['put', `/${kind}/:txid`, `${kind}.write`, (bank, call) => put(bank, call, kind, txidOf(call, kind))],
    ['patch', `/${kind}/:txid`, `${kind}.write`, (bank, call) => patch(bank, call, kind)],
    ['get', `/${kind}/:txid`, `${kind}.read`, (bank, call) => show(bank, call, kind)],
    ['get', `/${kind}`, `${kind}.read`, (bank, call) => list(bank, call, kind)],
  ]),
]

function put(bank: PixBank, call: PixCall, kind: ChargeKind, id: string): Answer {
  return { status: 201, body: presentCharge(bank, putCharge(bank, call, kind, id)) }
}

function patch(bank: PixBank, call: PixCall, kind: ChargeKind): Answer {
  return { status: 200, body: presentCharge(bank, patchCharge(bank, call, find(bank, call, kind))) }
}

function show(bank: PixBank, call: PixCall, kind: ChargeKind): Answer {
  const charge = find(bank, call, kind)
  const { revisao } = read(revision, call.query, WORDS[kind].query)
  if (revisao !== undefined && revisao >= charge.revisions.length) {
    const razao = 'O parâmetro revisao corresponde a uma revisão inexistente.'
    throw new PixRefusal(WORDS[kind].query, [{ razao, propriedade: 'revisao' }])
  }
  return { status: 200, body: presentWithPayments(bank, charge, revisao) }
}

function list(bank: PixBank, { client, query }: PixCall, kind: ChargeKind): Answer {
  const wanted = readQuery(filters, query, WORDS[kind].query)
  const found = bank.charges
    .all()
    .filter((charge) => charge.client === client && charge.kind === kind && matches(charge, wanted))
  const { items, parametros } = pageOf(wanted, found, ({ createdAt }) => createdAt)
  return { status: 200, body: { parametros, cobs: items.map((charge) => presentWithPayments(bank, charge)) } }
}

type Filters = Partial<{ [Name in keyof typeof filters]: z.output<(typeof filters)[Name]> }>

/** Every charge of this bank has a location. */
function matches(charge: Charge, wanted: Filters): boolean {
  const { devedor } = termsOf(charge)
  return (
    (wanted.status === undefined || charge.status === wanted.status) &&
    (wanted.cpf === undefined || devedor?.cpf === wanted.cpf) &&
    (wanted.cnpj === undefined || devedor?.cnpj === wanted.cnpj) &&
    wanted.locationPresente !== false
  )
}

function find({ charges }: PixBank, call: PixCall, kind: ChargeKind): Charge {
  const charge = charges.get(chargeKey({ client: call.client, txid: String(call.params['txid']) }))
  if (charge?.kind !== kind) throw new PixRefusal(WORDS[kind].missing)
  return charge
}

function txidOf({ params }: PixCall, kind: ChargeKind): string {
  return read(path, params, WORDS[kind].invalid).txid
}
