import type { DomainError } from '@cofre/platform/errors'
import type { Field } from '../desk/fields'
import type { Words } from './language'
import type { Word } from './portuguese'

/** Why the API refused what a form asked for, by its code, in Portuguese. In English its own sentence says more. */
const REFUSALS: Readonly<Record<string, string>> = {
  CAPTURE_BELOW_INSTALLMENTS: 'O valor não chega a um centavo por parcela.',
  CAPTURE_EXCEEDS_AUTHORIZED: 'O valor é maior do que o autorizado.',
  CHARGE_DISPUTED: 'Uma contestação retirou este dinheiro: ele não pode ser estornado.',
  CUSTOMER_HAS_NO_EMAIL: 'O cliente não tem e-mail.',
  DISPUTE_ANSWER_REFUSED: 'A adquirente recusou a resposta.',
  EMAIL_NOT_SET_UP: 'O envio de e-mails não está configurado.',
  IDEMPOTENCY_KEY_REUSED: 'Este formulário já foi enviado com outros valores. Abra a página de novo.',
  INVOICE_CHANGED:
    'Alguém alterou a fatura depois que você a abriu. Abra a página de novo para ver a alteração.',
  INVALID_CHARGE_STATE: 'A situação da cobrança não permite isto. Abra a página de novo para vê-la.',
  INVALID_DISPUTE_STATE: 'A situação da contestação não permite isto. Abra a página de novo para vê-la.',
  INVALID_INVOICE_STATE: 'A situação da fatura não permite isto. Abra a página de novo para vê-la.',
  INVALID_VOUCHER_STATE: 'O pagamento não pode mais ser cancelado.',
  PARTIAL_VOID_UNSUPPORTED: 'Antes da captura só é possível cancelar o valor inteiro.',
  PAYMENT_PENDING: 'Um pagamento está em andamento. Tente de novo quando ele terminar.',
  PAYMENT_WINDOW_CLOSED: 'O prazo de pagamento da fatura terminou.',
  AUTOMATIC_CHARGE_REFUSED:
    'Nenhum cartão pode ser cobrado agora: falta um cartão válido, ou a bandeira ou o emissor não permite outra tentativa.',
  PIX_PERMISSION_OPEN:
    'A autorização do pagador para o Pix Automático não permite isto. Cancele a autorização antes.',
  RECEIPT_RESOLVED: 'Este recebimento já foi resolvido, ou o que resta é menor que o valor.',
  REFERENCE_NOT_FOUND: 'A fatura informada não existe.',
  REFUND_EXCEEDS_CAPTURED: 'O valor é maior do que o que resta para estornar.',
  REFUND_UNAVAILABLE: 'Nenhum Pix dos últimos 90 dias tem valor a devolver.',
}

export function refusalIn({ language }: Words, { reason, message }: DomainError): string {
  return (language === 'en' ? undefined : REFUSALS[reason]) ?? message
}

const FAULTS: Readonly<Record<string, Word>> = {
  CARD_DATA_MISPLACED: 'Leave card numbers out.',
  LENGTH: 'This text is too long.',
  MAX: 'This is too much.',
  MIN: 'This is too little.',
  REQUIRED: 'Fill this in.',
  UNKNOWN: 'Nothing of yours has this number.',
}

/** What is wrong with a field, by the code that the API gave it at its place. */
export function faultWord(code: string, field?: Field, pointer = ''): Word {
  if (field?.isPast && (code === 'MAX' || code === 'RANGE')) return 'The day cannot lie in the future.'
  if (field?.kind === 'day' && code === 'MIN') return 'Choose a later day.'
  if (field?.kind === 'day' && code === 'MAX') return 'Choose an earlier day.'
  if (field?.kind === 'money' && code === 'RANGE') return 'This is more than is left.'
  if (code === 'FORMAT' && pointer === '#/document') return 'Enter a valid CPF or CNPJ.'
  return FAULTS[code] ?? 'Enter a valid value.'
}
