import { z } from 'zod'
import { day, money } from '../charges/charge-request'

export const cobrBody = z.strictObject({
  idRec: z.string().regex(/^[a-zA-Z0-9]{29}$/),
  infoAdicional: z.string().max(140).optional(),
  calendario: z.strictObject({ dataDeVencimento: day }),
  valor: z.strictObject({ original: money }),
  ajusteDiaUtil: z.boolean().default(true),
  devedor: z
    .strictObject({
      email: z.string().max(300).optional(),
      logradouro: z.string().max(200).optional(),
      cidade: z.string().max(200).optional(),
      uf: z.string().max(2).optional(),
      cep: z.string().max(8).optional(),
    })
    .optional(),
  recebedor: z.strictObject({
    agencia: z.string().max(4).optional(),
    conta: z.string().min(1).max(20),
    tipoConta: z.enum(['CORRENTE', 'POUPANCA', 'PAGAMENTO']),
  }),
})

export const cobrRevision = z.strictObject({ status: z.literal('CANCELADA') })
