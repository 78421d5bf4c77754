import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { dayAt, dayNumber, lastDayWithoutCharges } from '../../bank/bank-calendar'
import type { Answer } from '../../partner-call'
import type { PixCall, PixRoute } from '../call'
import { chargeKey } from '../charges/charge'
import { cnpj, cpf, day, txid } from '../charges/charge-request'
import { pageOf, readQuery } from '../paging'
import type { PixBank } from '../pix-bank'
import { PixRefusal } from '../pix-refusal'
import { read } from '../shape'
import {
  cancelCobr,
  isOpen,
  keepCobr,
  openAttempt,
  presentCobr,
  presentWhole,
  schedule,
  statusOfCobr,
  type Cobr,
} from './cobr'
import { cobrBody, cobrRevision } from './cobr-request'
import { cycleOf } from './cycle'
import { statusOfRec, type Rec } from './rec'

/** A collection is sent so many days before its day: the rules of Pix Automático. */
const AHEAD = { least: 2, most: 10 }
/** PERMITE_3R_7D. */
export const RETRIES = { times: 3, days: 7 }

const path = z.object({ txid })
const retryPath = z.object({ data: day })
const filters = {
  idRec: z.string().max(29).optional(),
  cpf: cpf.optional(),
  cnpj: cnpj.optional(),
  status: z.string().max(40).optional(),
  convenio: z.string().max(60).optional(),
}

export const cobrRoutes: readonly PixRoute[] = [
  [
    'put',
    '/cobr/:txid',
    'cobr.write',
    (bank, call) => create(bank, call, read(path, call.params, 'CobROperacaoInvalida').txid),
  ],
  ['post', '/cobr', 'cobr.write', (bank, call) => create(bank, call, randomUUID().replaceAll('-', ''))],
  ['patch', '/cobr/:txid', 'cobr.write', cancel],
  ['get', '/cobr/:txid', 'cobr.read', (bank, call) => ok(presentWhole(bank, find(bank, call)))],
  ['get', '/cobr', 'cobr.read', list],
  ['post', '/cobr/:txid/retentativa/:data', 'cobr.write', retry],
]

/** Creates a collection. It is answered as created; then the payer's bank has it scheduled, which is reported. */
function create(bank: PixBank, { client, body, now }: PixCall, id: string): Answer {
  const { idRec, ...terms } = read(cobrBody, body, 'CobROperacaoInvalida')
  const key = chargeKey({ client, txid: id })
  if (bank.cobrs.get(key) ?? bank.charges.get(key)) throw refused('cobr.txid', 'encontra-se em uso')
  const rec = bank.recs.get(idRec)
  if (rec?.client !== client || statusOfRec(rec) !== 'APROVADA') {
    throw refused('cobr.idRec', 'não é de uma recorrência APROVADA')
  }
  const { valorRec = terms.valor.original } = rec.terms.valor ?? {}
  if (terms.valor.original !== valorRec) throw refused('cobr.valor.original', 'difere de rec.valor.valorRec')
  const { dataDeVencimento } = terms.calendario
  const ahead = dayNumber(dataDeVencimento) - dayNumber(dayAt(now))
  if (ahead < 0) throw refused('cobr.calendario.dataDeVencimento', 'é anterior à data de criação da cobrança')
  if (ahead < AHEAD.least || ahead > AHEAD.most) {
    throw refused('cobr.calendario.dataDeVencimento', 'não está entre 2 e 10 dias após a criação')
  }
  if (isCycleTaken(bank, rec, dataDeVencimento)) {
    throw refused('cobr.calendario.dataDeVencimento', 'já tem uma cobrança no mesmo ciclo')
  }
  const policy = rec.terms.politicaRetentativa
  const history = [{ status: 'CRIADA', at: now }] as const
  const cobr: Cobr = { txid: id, client, idRec, policy, terms, history, attempts: [] }
  const due = terms.ajusteDiaUtil ? lastDayWithoutCharges(dataDeVencimento) : dataDeVencimento
  keepCobr(bank, schedule(cobr, 'AGND', due, now), 'ATIVA', now)
  return { status: 201, body: presentCobr(cobr) }
}

function cancel(bank: PixBank, call: PixCall): Answer {
  const cobr = find(bank, call)
  read(cobrRevision, call.body, 'CobROperacaoInvalida')
  const [first] = cobr.attempts
  if (!isOpen(cobr) || (first && dayAt(call.now) >= first.day)) {
    throw refused('cobr.status', 'não muda a partir da data prevista da primeira tentativa')
  }
  const descricao = 'Cancelamento de agendamento solicitado pelo usuário recebedor'
  const cancelamento = { solicitante: 'USUARIO_RECEBEDOR', codigo: 'SLCR', descricao }
  return ok(presentCobr(cancelCobr(bank, cobr, cancelamento, call.now)))
}

function retry(bank: PixBank, call: PixCall): Answer {
  const cobr = find(bank, call)
  const { data } = read(retryPath, call.params, 'CobROperacaoInvalida')
  const { attempts, policy, terms } = cobr
  const late = dayNumber(data) - dayNumber(terms.calendario.dataDeVencimento)
  if (policy === 'NAO_PERMITE')
    throw refused('rec.politicaRetentativa', 'não permite retentativa de cobrança')
  if (openAttempt(cobr)) throw refused('data', 'vem antes do fim de uma tentativa SOLICITADA ou AGENDADA')
  if (statusOfCobr(cobr) !== 'ATIVA') throw refused('cobr.status', 'não é ATIVA')
  if (data <= dayAt(call.now)) throw refused('data', 'não corresponde a uma data futura')
  if (attempts.some((attempt) => attempt.day === data)) throw refused('data', 'já tem uma tentativa')
  if (attempts.length > RETRIES.times || late > RETRIES.days) {
    throw refused('data', 'excede três retentativas em sete dias')
  }
  const kept = keepCobr(bank, schedule(cobr, 'NTAG', data, call.now), undefined, call.now)
  return { status: 201, body: presentWhole(bank, kept) }
}

function list(bank: PixBank, { client, query }: PixCall): Answer {
  const { convenio, ...wanted } = readQuery(filters, query, 'CobRConsultaInvalida')
  const is = <T>(asked: T | undefined, has: T) => asked === undefined || asked === has
  const found = bank.cobrs.all().filter((cobr) => {
    const { vinculo, recebedor } = bank.recs.get(cobr.idRec)?.terms ?? {}
    return (
      cobr.client === client &&
      is(wanted.idRec, cobr.idRec) &&
      is(wanted.cpf, vinculo?.devedor.cpf) &&
      is(wanted.cnpj, vinculo?.devedor.cnpj) &&
      is(wanted.status, statusOfCobr(cobr)) &&
      is(convenio, recebedor?.convenio)
    )
  })
  const { items, parametros } = pageOf(wanted, found, ({ history }) => history[0]?.at ?? 0)
  return ok({ parametros, cobsr: items.map((cobr) => presentWhole(bank, cobr)) })
}

function isCycleTaken(bank: PixBank, rec: Rec, due: string): boolean {
  const cycle = cycleOf(rec, due)
  return bank.cobrs
    .all()
    .some(
      (cobr) =>
        cobr.idRec === rec.idRec &&
        !['REJEITADA', 'CANCELADA'].includes(statusOfCobr(cobr)) &&
        cycleOf(rec, cobr.terms.calendario.dataDeVencimento) === cycle,
    )
}

function find({ cobrs }: PixBank, { client, params }: PixCall): Cobr {
  const cobr = cobrs.get(chargeKey({ client, txid: params['txid'] ?? '' }))
  if (!cobr) throw new PixRefusal('CobRNaoEncontrado')
  return cobr
}

function refused(propriedade: string, razao: string): PixRefusal {
  return new PixRefusal('CobROperacaoInvalida', [{ razao: `O campo ${propriedade} ${razao}.`, propriedade }])
}

function ok(body: object): Answer {
  return { status: 200, body }
}
