import { z } from 'zod'
import { BankRefusal } from './bank-refusal'
import type { Slip } from './slip'
import { codeOf, lineOf } from './slip-code'

/** A barcode has ten digits for the amount. */
const AMOUNT_MAX = 99_999_999.99

const reais = z
  .number()
  .positive()
  .max(AMOUNT_MAX)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-4)
  .transform((value) => Math.round(value * 100))
/** A percentage, rounded to two decimals and kept in hundredths. */
const percent = z
  .number()
  .positive()
  .max(100)
  .transform((value) => Math.round(value * 100))
const day = z.iso.date()

const fine = z.strictObject({ data: day, valor: reais.optional(), porcentagem: percent.optional() })
const interest = z.strictObject({ data: day, valorDia: reais.optional(), porcentagemMes: percent.optional() })

const discount = z.strictObject({ data: day, valor: reais })

/** The bank keeps ASCII alone: no accent, no letter of another script, no half of a character. */
const bankText = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[ -~]*$/)

const registration = z.strictObject({
  numeroConvenio: z.string(),
  numeroCarteira: z.literal('17'),
  nossoNumero: z.string().regex(/^\d{17}$/),
  numeroDocumento: z.string().min(1).max(15),
  dataVencimento: day,
  dataLimitePagamento: day,
  valorOriginal: reais,
  multa: fine.optional(),
  jurosMora: interest.optional(),
  descontos: z.array(discount).min(1).max(3).default([]),
  pagador: z.strictObject({
    tipoInscricao: z.enum(['CPF', 'CNPJ']),
    numeroInscricao: z.string().regex(/^\d{11}$|^[0-9A-Z]{12}\d{2}$/),
    nome: bankText(60).min(1),
    endereco: z
      .strictObject({
        logradouro: bankText(60).min(1),
        bairro: bankText(30),
        cidade: bankText(30).min(1),
        uf: z.string().regex(/^[A-Z]{2}$/),
        cep: z.string().regex(/^\d{8}$/),
      })
      .optional(),
  }),
})

/** Reads the slip that a registration asks for. Throws BankRefusal naming the first field at fault. */
export function readSlip(agreement: string, body: unknown, at: number): Slip {
  const { success, data, error } = registration.safeParse(body)
  if (!success) {
    throw new BankRefusal('REQUISICAO_INVALIDA', error.issues[0]?.path.join('.') || 'corpo')
  }
  const { nossoNumero: ourNumber, numeroCarteira: wallet, dataVencimento: dueDate } = data
  if (data.numeroConvenio !== agreement) throw new BankRefusal('REQUISICAO_INVALIDA', 'numeroConvenio')
  if (!ourNumber.startsWith(agreement)) throw new BankRefusal('REQUISICAO_INVALIDA', 'nossoNumero')
  if (data.dataLimitePagamento < dueDate) throw new BankRefusal('REQUISICAO_INVALIDA', 'dataLimitePagamento')
  checkDiscounts(data)
  const code = codeOf({ ourNumber, wallet, dueDate, amount: data.valorOriginal })
  return {
    agreement,
    ourNumber,
    wallet,
    documentNumber: data.numeroDocumento,
    dueDate,
    payableUntil: data.dataLimitePagamento,
    amount: data.valorOriginal,
    fine: data.multa && { from: data.multa.data, amount: data.multa.valor, share: data.multa.porcentagem },
    interest: data.jurosMora && {
      from: data.jurosMora.data,
      amount: data.jurosMora.valorDia,
      share: data.jurosMora.porcentagemMes,
    },
    discounts: data.descontos.map(({ data: until, valor: amount }) => ({ until, amount })),
    payer: {
      document: data.pagador.numeroInscricao,
      name: data.pagador.nome,
      address: data.pagador.endereco ?? null,
    },
    code,
    line: lineOf(code),
    cancelled: false,
    receipts: [],
    registeredAt: at,
  }
}

/** Refuses discounts that leave nothing to pay, end after the due date, or do not shrink from day to day. */
function checkDiscounts({ descontos, dataVencimento, valorOriginal }: z.output<typeof registration>): void {
  const isWrong = descontos.some(({ data: until, valor }, place) => {
    const next = descontos[place + 1]
    const grows = next !== undefined && (next.data <= until || next.valor >= valor)
    return grows || until > dataVencimento || valor >= valorOriginal
  })
  if (isWrong) throw new BankRefusal('REQUISICAO_INVALIDA', 'descontos')
}
