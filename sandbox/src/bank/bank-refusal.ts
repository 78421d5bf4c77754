export type RefusalCode =
  | 'NAO_AUTORIZADO'
  | 'REQUISICAO_INVALIDA'
  | 'BOLETO_DUPLICADO'
  | 'BOLETO_NAO_ENCONTRADO'
  | 'VENCIMENTO_INVALIDO'
  | 'BOLETO_LIQUIDADO'

const STATUSES: Record<RefusalCode, number> = {
  NAO_AUTORIZADO: 401,
  REQUISICAO_INVALIDA: 400,
  BOLETO_DUPLICADO: 409,
  BOLETO_NAO_ENCONTRADO: 404,
  VENCIMENTO_INVALIDO: 422,
  BOLETO_LIQUIDADO: 422,
}

/** The bank refuses the call itself: nothing was done. */
export class BankRefusal extends Error {
  readonly status: number

  constructor(
    readonly code: RefusalCode,
    /** The field at fault, as the bank spells it. */
    readonly field?: string,
  ) {
    super(`refused: ${code}`)
    this.status = STATUSES[code]
  }

  get body(): object {
    return { erro: this.code, ...(this.field === undefined ? {} : { campo: this.field }) }
  }
}
