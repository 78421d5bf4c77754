const TYPES = 'https://pix.bcb.gov.br/api/v2/error/'

/** The error types of the document, their statuses and titles. */
const ERRORS = {
  NaoAutorizado: [401, 'Token ausente, desconhecido ou vencido.'],
  AcessoNegado: [403, 'Acesso negado.'],
  NaoEncontrado: [404, 'Entidade não encontrada.'],
  RequisicaoInvalida: [400, 'Requisição inválida.'],
  CobNaoEncontrado: [404, 'Cobrança não encontrada.'],
  CobOperacaoInvalida: [400, 'Cobrança inválida.'],
  CobConsultaInvalida: [400, 'Consulta inválida.'],
  CobVNaoEncontrada: [404, 'Cobrança com vencimento não encontrada.'],
  CobVOperacaoInvalida: [400, 'Cobrança com vencimento inválida.'],
  CobVConsultaInvalida: [400, 'Consulta inválida.'],
  PayloadLocationNaoEncontrado: [404, 'Location não encontrada.'],
  PayloadLocationOperacaoInvalida: [400, 'Location inválida.'],
  PayloadLocationConsultaInvalida: [400, 'Consulta inválida.'],
  PixNaoEncontrado: [404, 'Pix não encontrado.'],
  PixConsultaInvalida: [400, 'Consulta inválida.'],
  PixDevolucaoNaoEncontrada: [404, 'Devolução não encontrada.'],
  PixDevolucaoInvalida: [400, 'Devolução inválida.'],
  WebhookNaoEncontrado: [404, 'Webhook não encontrado.'],
  WebhookOperacaoInvalida: [400, 'Webhook inválido.'],
  WebhookConsultaInvalida: [400, 'Consulta inválida.'],
  WebhookRecOperacaoInvalida: [400, 'Webhook inválido.'],
  WebhookCobROperacaoInvalida: [400, 'Webhook inválido.'],
  RecNaoEncontrada: [404, 'Recorrência não encontrada.'],
  RecOperacaoInvalida: [400, 'Recorrência inválida.'],
  RecConsultaInvalida: [400, 'Consulta inválida.'],
  PayloadLocationRecNaoEncontrado: [404, 'Location não encontrada.'],
  PayloadLocationRecConsultaInvalida: [400, 'Consulta inválida.'],
  CobRNaoEncontrado: [404, 'Cobrança recorrente não encontrada.'],
  CobROperacaoInvalida: [400, 'Cobrança recorrente inválida.'],
  CobRConsultaInvalida: [400, 'Consulta inválida.'],
} as const

export type RefusalType = keyof typeof ERRORS

/** Why a call is refused, and the member at fault. Its value is not repeated. */
export type Violation = { razao: string; propriedade: string }

/** The bank refuses the call itself: nothing was done. */
export class PixRefusal extends Error {
  readonly status: number
  readonly body: object

  constructor(type: RefusalType, violations: readonly Violation[] = []) {
    super(`refused: ${type}`)
    const [status, title] = ERRORS[type]
    this.status = status
    this.body = {
      type: `${TYPES}${type}`,
      title,
      status,
      detail: violations[0]?.razao ?? title,
      ...(violations.length > 0 && { violacoes: violations }),
    }
  }
}
