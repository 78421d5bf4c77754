import { z } from 'zod'
import { PixRefusal, type RefusalType } from './pix-refusal'
import { read } from './shape'

const PAGE = 'paginacao.paginaAtual'
const PER_PAGE = 'paginacao.itensPorPagina'
const moment = z.iso.datetime({ offset: true })

/** The parameters of a query: `inicio`, `fim`, the page, and those of its own, all optional. */
const paging = {
  inicio: moment,
  fim: moment,
  [PAGE]: z.coerce.number().int().min(0).max(1_000_000).default(0),
  [PER_PAGE]: z.coerce.number().int().min(1).max(1_000).default(100),
}

/** A boolean of a query. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

export function readQuery<Filters extends z.ZodRawShape>(
  filters: Filters,
  query: unknown,
  type: RefusalType,
) {
  const wanted = read(z.strictObject({ ...paging, ...filters }), query, type) as Paging &
    z.output<z.ZodObject<Filters>>
  if (Date.parse(wanted.fim) < Date.parse(wanted.inicio)) {
    throw new PixRefusal(type, [{ razao: 'O parâmetro fim é anterior a inicio.', propriedade: 'fim' }])
  }
  const { cpf, cnpj } = wanted as { cpf?: unknown; cnpj?: unknown }
  if (cpf !== undefined && cnpj !== undefined) {
    throw new PixRefusal(type, [{ razao: 'Ambos cpf e cnpj estão preenchidos.', propriedade: 'cnpj' }])
  }
  return wanted
}

type Paging = { inicio: string; fim: string; [PAGE]: number; [PER_PAGE]: number }

/** Returns the page of those that match, the oldest first, and the parameters as the answer repeats them. */
export function pageOf<T>(wanted: Paging, all: readonly T[], createdAt: (one: T) => number) {
  const [from, to] = [Date.parse(wanted.inicio), Date.parse(wanted.fim)]
  const found = all
    .filter((one) => createdAt(one) >= from && createdAt(one) <= to)
    .toSorted((a, b) => createdAt(a) - createdAt(b))
  const { [PAGE]: page, [PER_PAGE]: perPage, ...filters } = wanted
  const paginacao = {
    paginaAtual: page,
    itensPorPagina: perPage,
    quantidadeDePaginas: Math.max(1, Math.ceil(found.length / perPage)),
    quantidadeTotalDeItens: found.length,
  }
  return {
    items: found.slice(page * perPage, (page + 1) * perPage),
    parametros: { ...filters, paginacao },
  }
}
