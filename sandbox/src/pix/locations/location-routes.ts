import { z } from 'zod'
import type { Answer } from '../../partner-call'
import type { PixCall, PixRoute } from '../call'
import { newLocation, presentLocation, type Location } from './location'
import { flag, pageOf, readQuery } from '../paging'
import type { PixBank } from '../pix-bank'
import { PixRefusal } from '../pix-refusal'
import { read } from '../shape'

const wanted = z.strictObject({ tipoCob: z.enum(['cob', 'cobv']) })
const filters = { tipoCob: z.enum(['cob', 'cobv']).optional(), txIdPresente: flag.optional() }

export const locationRoutes: readonly PixRoute[] = [
  ['post', '/loc', 'payloadlocation.write', create],
  ['get', '/loc/:id', 'payloadlocation.read', show],
  ['get', '/loc', 'payloadlocation.read', list],
  ['post', '/locrec', 'payloadlocationrec.write', createForRec],
  ['get', '/locrec/:id', 'payloadlocationrec.read', showForRec],
]

function create(bank: PixBank, { client, body, now }: PixCall): Answer {
  const { tipoCob } = read(wanted, body, 'PayloadLocationOperacaoInvalida')
  return { status: 201, body: presentLocation(newLocation(bank, client, tipoCob, now)) }
}

function show({ locations }: PixBank, { client, params }: PixCall): Answer {
  const location = locations.get(String(params['id']))
  if (location?.client !== client || location.kind === 'rec') {
    throw new PixRefusal('PayloadLocationNaoEncontrado')
  }
  return { status: 200, body: presentComplete(location) }
}

function list({ locations }: PixBank, { client, query }: PixCall): Answer {
  const asked = readQuery(filters, query, 'PayloadLocationConsultaInvalida')
  const found = locations
    .all()
    .filter(
      ({ client: owner, kind, holder }) =>
        owner === client &&
        kind !== 'rec' &&
        (asked.tipoCob === undefined || kind === asked.tipoCob) &&
        (asked.txIdPresente === undefined || (holder !== undefined) === asked.txIdPresente),
    )
  const { items, parametros } = pageOf(asked, found, ({ createdAt }) => createdAt)
  return { status: 200, body: { parametros, loc: items.map(presentComplete) } }
}

function createForRec(bank: PixBank, { client, now }: PixCall): Answer {
  return { status: 201, body: presentLocation(newLocation(bank, client, 'rec', now)) }
}

function showForRec({ locations }: PixBank, { client, params }: PixCall): Answer {
  const location = locations.get(params['id'] ?? '')
  if (location?.client !== client || location.kind !== 'rec') {
    throw new PixRefusal('PayloadLocationRecNaoEncontrado')
  }
  const { holder } = location
  return {
    status: 200,
    body: { ...presentLocation(location), ...(holder !== undefined && { idRec: holder }) },
  }
}

function presentComplete(location: Location) {
  const { holder } = location
  return { ...presentLocation(location), ...(holder !== undefined && { txid: holder.split('/').at(-1) }) }
}
