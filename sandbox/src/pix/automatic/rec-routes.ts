import { z } from 'zod'
import { dayAt } from '../../bank/bank-calendar'
import type { Answer } from '../../partner-call'
import type { PixCall, PixRoute } from '../call'
import { chargeKey } from '../charges/charge'
import { cnpj, cpf, txid } from '../charges/charge-request'
import { hold, locationOf } from '../locations/location'
import { flag, pageOf, readQuery } from '../paging'
import type { PixBank } from '../pix-bank'
import { PixRefusal, type Violation } from '../pix-refusal'
import { read } from '../shape'
import { cancelOpenCharges } from './cobr'
import { moveRec, newRecId, presentRec, presentRecWithCode, statusOfRec, type Rec } from './rec'
import { recBody, recRevision } from './rec-request'

const filters = {
  cpf: cpf.optional(),
  cnpj: cnpj.optional(),
  status: z.string().max(40).optional(),
  locationPresente: flag.optional(),
  convenio: z.string().max(60).optional(),
}
const withCharge = z.strictObject({ txid: txid.optional() })
const ENDED = ['EXPIRADA', 'CANCELADA', 'REJEITADA']

export const recRoutes: readonly PixRoute[] = [
  ['post', '/rec', 'rec.write', create],
  ['get', '/rec/:idRec', 'rec.read', show],
  ['patch', '/rec/:idRec', 'rec.write', revise],
  ['get', '/rec', 'rec.read', list],
]

function create(bank: PixBank, { client, body, now }: PixCall): Answer {
  const { loc, ativacao, ...terms } = read(recBody, body, 'RecOperacaoInvalida')
  const { dataInicial, dataFinal } = terms.calendario
  if (dataInicial < dayAt(now)) throw refused('rec.calendario.dataInicial', 'é anterior à data de criação')
  if (dataFinal !== undefined && dataFinal < dataInicial) {
    throw refused('rec.calendario.dataFinal', 'é anterior a dataInicial')
  }
  const idRec = newRecId(terms, now)
  const txidOfJourney = ativacao?.dadosJornada?.txid
  const rec: Rec = {
    idRec,
    client,
    terms,
    txid: txidOfJourney,
    locId: loc,
    history: [{ status: 'CRIADA', at: now }],
  }
  if (loc !== undefined) useLocation(bank, rec, loc)
  bank.recs.save(rec)
  return { status: 201, body: presentRec(bank, rec) }
}

/** With the txid of a charge, the QR code holds both: journey 3 pays at once, journey 4 a charge with a due date. */
function show(bank: PixBank, call: PixCall): Answer {
  const rec = findRec(bank, call)
  const wanted = read(withCharge, call.query, 'RecConsultaInvalida')
  if (wanted.txid === undefined) return { status: 200, body: presentRecWithCode(bank, rec) }
  const charge = bank.charges.get(chargeKey({ client: call.client, txid: wanted.txid }))
  const other = charge?.kind === 'cob' && rec.txid !== undefined && rec.txid !== charge.txid
  if (!charge || other) {
    const razao = 'O parâmetro txid não corresponde a uma cobrança compatível.'
    throw new PixRefusal('RecConsultaInvalida', [{ razao, propriedade: 'txid' }])
  }
  const { location } = locationOf(bank, charge.locId)
  const journey = charge.kind === 'cob' ? 'JORNADA_3' : 'JORNADA_4'
  return { status: 200, body: presentRecWithCode(bank, rec, { journey, location }) }
}

function revise(bank: PixBank, call: PixCall): Answer {
  const rec = findRec(bank, call)
  const { status, vinculo, calendario, loc, ativacao } = read(recRevision, call.body, 'RecOperacaoInvalida')
  const present = statusOfRec(rec)
  if (ENDED.includes(present))
    throw refused('rec.status', 'é de uma recorrência expirada, cancelada ou rejeitada')
  if (status !== undefined) {
    const descricao = 'Cancelamento solicitado pelo usuário recebedor'
    const cancelamento = { solicitante: 'USUARIO_RECEBEDOR', codigo: 'SLCR', descricao }
    const cancelled = moveRec(bank, rec, status, call.now, { ending: { cancelamento } })
    cancelOpenCharges(bank, cancelled, cancelamento, call.now)
    return { status: 200, body: presentRec(bank, cancelled) }
  }
  if (present !== 'CRIADA' && (loc !== undefined || calendario !== undefined)) {
    throw refused(loc === undefined ? 'rec.calendario.dataInicial' : 'rec.loc', 'só muda enquanto CRIADA')
  }
  const { terms } = rec
  const revised: Rec = {
    ...rec,
    terms: {
      ...terms,
      vinculo: { ...terms.vinculo, devedor: { ...terms.vinculo.devedor, ...vinculo?.devedor } },
      calendario: { ...terms.calendario, ...calendario },
    },
    locId: loc ?? rec.locId,
    txid: ativacao?.dadosJornada?.txid ?? rec.txid,
  }
  if (revised.terms.calendario.dataInicial < dayAt(rec.history[0]?.at ?? call.now)) {
    throw refused('rec.calendario.dataInicial', 'é anterior à data de criação')
  }
  if (loc !== undefined) useLocation(bank, rec, loc)
  if (loc !== undefined && rec.locId !== undefined && rec.locId !== loc) hold(bank, rec.locId, undefined)
  bank.recs.save(revised)
  return { status: 200, body: presentRec(bank, revised) }
}

function list(bank: PixBank, { client, query }: PixCall): Answer {
  const { convenio, ...wanted } = readQuery(filters, query, 'RecConsultaInvalida')
  const is = <T>(asked: T | undefined, has: T) => asked === undefined || asked === has
  const found = bank.recs.all().filter((rec) => {
    const { devedor } = rec.terms.vinculo
    return (
      rec.client === client &&
      is(wanted.cpf, devedor.cpf) &&
      is(wanted.cnpj, devedor.cnpj) &&
      is(wanted.status, statusOfRec(rec)) &&
      is(wanted.locationPresente, rec.locId !== undefined) &&
      is(convenio, rec.terms.recebedor?.convenio)
    )
  })
  const { items, parametros } = pageOf(wanted, found, ({ history }) => history[0]?.at ?? 0)
  const recs = items.map((rec) => {
    const { dadosQR: _code, ...shown } = { dadosQR: undefined, ...presentRecWithCode(bank, rec) }
    return shown
  })
  return { status: 200, body: { parametros, recs } }
}

function useLocation(bank: PixBank, rec: Rec, id: number): void {
  const location = bank.locations.get(String(id))
  if (location?.client !== rec.client || location.kind !== 'rec') throw refused('rec.loc', 'inexiste')
  if (location.holder !== undefined && location.holder !== rec.idRec) {
    throw refused('rec.loc', 'já está sendo utilizado por outra recorrência')
  }
  hold(bank, id, rec.idRec)
}

function findRec({ recs }: PixBank, { client, params }: PixCall): Rec {
  const rec = recs.get(params['idRec'] ?? '')
  if (rec?.client !== client) throw new PixRefusal('RecNaoEncontrada')
  return rec
}

function refused(propriedade: string, razao: string): PixRefusal {
  const violation: Violation = { razao: `O campo ${propriedade} ${razao}.`, propriedade }
  return new PixRefusal('RecOperacaoInvalida', [violation])
}
