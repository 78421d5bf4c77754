import { z } from 'zod'
import type { Answer } from '../../partner-call'
import type { PixCall, PixRoute } from '../call'
import { cnpj, cpf, money } from '../charges/charge-request'
import { hundredthsOf } from '../money-text'
import { flag, pageOf, readQuery } from '../paging'
import type { PixBank } from '../pix-bank'
import { PixRefusal } from '../pix-refusal'
import {
  newMessageId,
  presentDevolution,
  presentPix,
  returnable,
  type Devolution,
  type Received,
} from './received'
import { addDevolution, nextEnd } from './settle'
import { read } from '../shape'

const WINDOW_MS = 90 * 86_400_000

const filters = {
  txid: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,35}$/)
    .optional(),
  txIdPresente: flag.optional(),
  devolucaoPresente: flag.optional(),
  cpf: cpf.optional(),
  cnpj: cnpj.optional(),
}
const devolutionPath = z.object({ id: z.string().regex(/^[a-zA-Z0-9]{1,35}$/) })
const devolutionBody = z.strictObject({
  valor: money,
  natureza: z.enum(['ORIGINAL', 'RETIRADA']).default('ORIGINAL'),
  descricao: z.string().max(140).optional(),
})

export const receivedRoutes: readonly PixRoute[] = [
  ['get', '/pix/:e2eid', 'pix.read', (bank, call) => ok(presentPix(find(bank, call)))],
  ['get', '/pix', 'pix.read', list],
  ['put', '/pix/:e2eid/devolucao/:id', 'pix.write', giveBack],
  ['get', '/pix/:e2eid/devolucao/:id', 'pix.read', showDevolution],
]

function list({ received }: PixBank, { client, query }: PixCall): Answer {
  const wanted = readQuery(filters, query, 'PixConsultaInvalida')
  const document = wanted.cpf ?? wanted.cnpj
  const is = (asked: boolean | undefined, has: boolean) => asked === undefined || asked === has
  const found = received
    .all()
    .filter(
      (pix) =>
        pix.client === client &&
        (wanted.txid === undefined || pix.txid === wanted.txid) &&
        (document === undefined || pix.payer?.document === document) &&
        is(wanted.txIdPresente, pix.txid !== undefined) &&
        is(wanted.devolucaoPresente, pix.devolutions.length > 0),
    )
  const { items, parametros } = pageOf(wanted, found, ({ at }) => at)
  return ok({ parametros, pix: items.map(presentPix) })
}

/**
 * The seller gives money back. The same id with the same content is the same return, whose present state is answered; with another
 * content it is refused. A new one is answered before it is settled.
 */
function giveBack(bank: PixBank, call: PixCall): Answer {
  const pix = find(bank, call)
  const { id } = read(devolutionPath, call.params, 'PixDevolucaoInvalida')
  const { valor, natureza, descricao } = read(devolutionBody, call.body, 'PixDevolucaoInvalida')
  const amount = hundredthsOf(valor)
  const known = pix.devolutions.find((devolution) => devolution.id === id)
  if (known) {
    if (known.amount === amount && known.description === descricao && natureza === 'ORIGINAL') {
      return { status: 201, body: presentDevolution(known) }
    }
    throw refused('devolucao.id', 'O id já foi utilizado por outra requisição de devolução.')
  }
  if (natureza !== 'ORIGINAL') throw refused('devolucao.natureza', 'O Pix não é um saque nem tem troco.')
  if (amount === 0) throw refused('devolucao.valor', 'O campo devolucao.valor apresenta o valor zero.')
  if (amount > returnable(pix)) {
    throw refused('devolucao.valor', 'A soma das devoluções excederia o valor do Pix.')
  }
  if (call.now > pix.at + WINDOW_MS) throw refused('devolucao', 'Passaram 90 dias desde a liquidação do Pix.')
  const asked: Devolution = {
    id,
    rtrId: newMessageId('D', call.now),
    amount,
    nature: natureza,
    description: descricao,
    status: 'EM_PROCESSAMENTO',
    askedAt: call.now,
  }
  addDevolution(bank, pix, asked, nextEnd(bank))
  return { status: 201, body: presentDevolution(asked) }
}

function showDevolution(bank: PixBank, call: PixCall): Answer {
  const devolution = find(bank, call).devolutions.find(({ id }) => id === call.params['id'])
  if (!devolution) throw new PixRefusal('PixDevolucaoNaoEncontrada')
  return ok(presentDevolution(devolution))
}

function find({ received }: PixBank, { client, params }: PixCall): Received {
  const pix = received.get(String(params['e2eid']))
  if (pix?.client !== client) throw new PixRefusal('PixNaoEncontrado')
  return pix
}

function refused(propriedade: string, razao: string): PixRefusal {
  return new PixRefusal('PixDevolucaoInvalida', [{ razao, propriedade }])
}

function ok(body: object): Answer {
  return { status: 200, body }
}
