import { z } from 'zod'
import { TWO_DECIMALS } from '../money-text'

/** Stored terms have all members of which the document knows a default. */
export type CobTerms = Omit<z.output<typeof cobBody>, 'loc'>
export type CobVTerms = Omit<z.output<typeof cobVBody>, 'loc'>

/** A key of the central bank's directory: CPF, CNPJ, mobile phone, e-mail address or a random UUID. */
const KEY =
  /^(\d{11}|[0-9A-Z]{12}\d{2}|\+55\d{10,11}|[^\s@]{1,60}@[^\s@]{1,60}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
export const pixKey = z.string().max(77).regex(KEY)

export const money = z.string().regex(TWO_DECIMALS)
export const day = z.iso.date()
export const txid = z.string().regex(/^[a-zA-Z0-9]{26,35}$/)
export const cpf = z.string().regex(/^\d{11}$/)
export const cnpj = z.string().regex(/^[0-9A-Z]{14}$/)
const INT32_MAX = 2_147_483_647
/** A century, so that every last day is a date. */
const VALIDITY_MAX = 36_500

const identity = { cpf: cpf.optional(), cnpj: cnpj.optional(), nome: z.string().min(1).max(200) }
const one = ({ cpf: person, cnpj: company }: { cpf?: string | undefined; cnpj?: string | undefined }) =>
  (person === undefined) !== (company === undefined)

const payer = z.strictObject(identity).refine(one)
const payerWithAddress = z
  .strictObject({
    ...identity,
    email: z.string().max(300).optional(),
    logradouro: z.string().max(200).optional(),
    cidade: z.string().max(200).optional(),
    uf: z.string().max(2).optional(),
    cep: z.string().max(8).optional(),
  })
  .refine(one)

const base = {
  chave: pixKey,
  solicitacaoPagador: z.string().max(140).optional(),
  infoAdicionais: z
    .array(z.strictObject({ nome: z.string().max(50), valor: z.string().max(200) }))
    .max(50)
    .optional(),
  /** The document demands `tipoCob` here, but defines no such member. */
  loc: z.strictObject({ id: z.int(), tipoCob: z.enum(['cob', 'cobv']).optional() }).optional(),
}

const rate = (modalities: number) =>
  z.strictObject({ modalidade: z.int().min(1).max(modalities), valorPerc: money })

const discount = z.strictObject({
  modalidade: z.int().min(1).max(6),
  descontoDataFixa: z
    .array(z.strictObject({ data: day, valorPerc: money }))
    .min(1)
    .max(3)
    .optional(),
  valorPerc: money.optional(),
})

const cobValue = { original: money, modalidadeAlteracao: z.int().min(0).max(1).optional() }
const cobVValue = {
  original: money,
  multa: rate(2).optional(),
  juros: rate(8).optional(),
  abatimento: rate(2).optional(),
  desconto: discount.optional(),
}
const expiry = z.int().max(INT32_MAX)
const validity = z.int().max(VALIDITY_MAX)
const removed = z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR')

export const cobBody = z.strictObject({
  ...base,
  calendario: z.strictObject({ expiracao: expiry.default(86_400) }),
  devedor: payer.optional(),
  valor: z.strictObject(cobValue),
})

export const cobVBody = z.strictObject({
  ...base,
  calendario: z.strictObject({ dataDeVencimento: day, validadeAposVencimento: validity.default(30) }),
  devedor: payerWithAddress,
  valor: z.strictObject(cobVValue),
})

export const cobRevision = z.strictObject({
  ...base,
  chave: base.chave.optional(),
  calendario: z.strictObject({ expiracao: expiry.optional() }).optional(),
  devedor: payer.optional(),
  valor: z.strictObject(cobValue).partial().optional(),
  status: removed.optional(),
})

export const cobVRevision = z.strictObject({
  ...base,
  chave: base.chave.optional(),
  calendario: z
    .strictObject({ dataDeVencimento: day, validadeAposVencimento: validity.optional() })
    .optional(),
  devedor: payerWithAddress.optional(),
  valor: z.strictObject(cobVValue).partial().optional(),
  status: removed.optional(),
})
