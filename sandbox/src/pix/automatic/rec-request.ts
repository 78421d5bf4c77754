import { z } from 'zod'
import { cnpj, cpf, day, money, txid } from '../charges/charge-request'

const debtor = z
  .strictObject({ cpf: cpf.optional(), cnpj: cnpj.optional(), nome: z.string().min(1).max(140) })
  .refine((one) => (one.cpf === undefined) !== (one.cnpj === undefined))
const activation = z.strictObject({ dadosJornada: z.strictObject({ txid }).optional() })

export const PERIODS = ['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL'] as const

export const recBody = z.strictObject({
  vinculo: z.strictObject({
    contrato: z.string().min(1).max(35),
    devedor: debtor,
    objeto: z.string().max(35).optional(),
  }),
  calendario: z.strictObject({
    dataInicial: day,
    dataFinal: day.optional(),
    periodicidade: z.enum(PERIODS),
  }),
  valor: z
    .strictObject({ valorRec: money.optional(), valorMinimoRecebedor: money.optional() })
    .refine(({ valorRec, valorMinimoRecebedor: least }) => valorRec === undefined || least === undefined)
    .optional(),
  recebedor: z.strictObject({ convenio: z.string().max(60).optional() }).optional(),
  politicaRetentativa: z.enum(['NAO_PERMITE', 'PERMITE_3R_7D']),
  loc: z.int().optional(),
  ativacao: activation.optional(),
})

export const recRevision = z.strictObject({
  status: z.literal('CANCELADA').optional(),
  vinculo: z
    .strictObject({ devedor: z.strictObject({ nome: z.string().min(1).max(140) }).optional() })
    .optional(),
  calendario: z.strictObject({ dataInicial: day.optional() }).optional(),
  loc: z.int().optional(),
  ativacao: activation.optional(),
})
