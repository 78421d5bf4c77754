import { dayAt } from '../../bank/bank-calendar'
import type { CobTerms, CobVTerms } from './charge-request'
import { hundredthsOf } from '../money-text'
import type { Violation } from '../pix-refusal'

/** 100 %, in hundredths of a percent. */
const WHOLE = 10_000

type Rule = readonly [broken: boolean, propriedade: string, razao: string]

/** Returns what the document forbids in the terms of an immediate charge. */
export function cobViolations({ calendario, valor }: CobTerms): Violation[] {
  return broken([
    [calendario.expiracao <= 0, 'cob.calendario.expiracao', 'é igual ou menor que zero'],
    // Zero is allowed when the payer chooses the amount.
    [isZero(valor.original) && valor.modalidadeAlteracao !== 1, 'cob.valor.original', 'é zero'],
  ])
}

/** Returns what the document forbids in the terms of a charge with a due date. Epoch milliseconds. */
export function cobVViolations({ calendario, valor }: CobVTerms, createdAt: number): Violation[] {
  const { dataDeVencimento, validadeAposVencimento } = calendario
  const { desconto, abatimento } = valor
  return broken([
    [
      dataDeVencimento < dayAt(createdAt),
      'cobv.calendario.dataDeVencimento',
      'é anterior à data de criação da cobrança',
    ],
    [validadeAposVencimento < 0, 'cobv.calendario.validadeAposVencimento', 'é menor do que zero'],
    [isZero(valor.original), 'cobv.valor.original', 'apresenta o valor zero'],
    [isWhole(abatimento, valor.original), 'cobv.valor.abatimento', 'é maior ou igual ao valor original'],
    ...(desconto ? discountRules(desconto, valor.original, dataDeVencimento) : []),
  ])
}

type Discount = NonNullable<CobVTerms['valor']['desconto']>

function discountRules(
  { modalidade, descontoDataFixa, valorPerc }: Discount,
  original: string,
  due: string,
): Rule[] {
  const fixed = modalidade <= 2
  const values = fixed ? (descontoDataFixa ?? []).map((one) => one.valorPerc) : [valorPerc ?? '0.00']
  // A discount for each day is an amount (modalities 3 and 4) or a percentage (5 and 6).
  const kind = [1, 3, 4].includes(modalidade) ? 1 : 2
  const name = 'cobv.valor.desconto'
  return [
    [fixed && valorPerc !== undefined, name, 'apresenta modalidade 1 ou 2, porém valorPerc está preenchido'],
    [fixed && !descontoDataFixa, name, 'apresenta modalidade 1 ou 2, porém descontoDataFixa está vazio'],
    [!fixed && valorPerc === undefined, name, 'apresenta modalidade de 3 a 6, porém valorPerc está vazio'],
    [!fixed && descontoDataFixa !== undefined, name, 'apresenta modalidade de 3 a 6 e descontoDataFixa'],
    [
      values.some((value) => isWhole({ modalidade: kind, valorPerc: value }, original)),
      name,
      'apresenta um valor maior ou igual ao original',
    ],
    [
      (descontoDataFixa ?? []).some(({ data }) => data > due),
      name,
      'apresenta data posterior à data de vencimento',
    ],
  ]
}

/** True when a deduction leaves nothing of the amount. */
function isWhole(rate: { modalidade: number; valorPerc: string } | undefined, original: string): boolean {
  if (!rate) return false
  return hundredthsOf(rate.valorPerc) >= (rate.modalidade === 1 ? hundredthsOf(original) : WHOLE)
}

function isZero(amount: string): boolean {
  return hundredthsOf(amount) === 0
}

function broken(rules: readonly Rule[]): Violation[] {
  return rules
    .filter(([isBroken]) => isBroken)
    .map(([, propriedade, razao]) => ({ razao: `O campo ${propriedade} ${razao}.`, propriedade }))
}
