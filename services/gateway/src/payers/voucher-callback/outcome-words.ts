import { RedirectOutcome } from '@cofre/proto/vouchers/v1/vouchers'

/** The languages of the identity provider's pages. */
export type Language = 'pt-BR' | 'en'
/** The look of the page: done, stopped, or still open. */
export type Mood = 'done' | 'stopped' | 'waiting'
export type Words = { title: string; message: string; next: string }
export type Outcome = { status: number; mood: Mood; words: Readonly<Record<Language, Words>> }

const CLOSE = {
  'pt-BR': 'Você já pode fechar esta página e voltar à loja.',
  en: 'You can close this page and go back to the shop.',
}
const BEGIN_AGAIN = {
  'pt-BR': 'Para tentar de novo, volte à loja e comece outra vez.',
  en: 'To try again, go back to the shop and start over.',
}
const DONE_OR_BEGIN_AGAIN = {
  'pt-BR':
    'Se você já autorizou o cartão em outra janela, está tudo certo. Senão, volte à loja e comece outra vez.',
  en: 'If you authorized the card in another window, you are done. If not, go back to the shop and start over.',
}

function outcome(status: number, mood: Mood, next: typeof CLOSE, pt: string[], en: string[]): Outcome {
  const words = ([title = '', message = '']: string[], language: Language) => ({
    title,
    message,
    next: next[language],
  })
  return { status, mood, words: { 'pt-BR': words(pt, 'pt-BR'), en: words(en, 'en') } }
}

export const AUTHORIZED = outcome(
  200,
  'done',
  CLOSE,
  ['Cartão autorizado', 'A loja agora pode receber pagamentos com o seu cartão.'],
  ['Card authorized', 'The shop can now take payments with your card.'],
)

export const REFUSED = outcome(
  200,
  'stopped',
  BEGIN_AGAIN,
  ['Autorização recusada', 'A loja não recebeu acesso ao seu cartão. Nada foi cobrado.'],
  ['Authorization refused', 'The shop received no access to your card. You were not charged.'],
)

export const LINK_UNUSABLE = outcome(
  400,
  'stopped',
  DONE_OR_BEGIN_AGAIN,
  ['Este link não pode ser usado', 'O link expirou, já foi usado ou está incompleto.'],
  ['This link cannot be used', 'The link has expired, was already used, or is incomplete.'],
)

export const CODE_REFUSED = outcome(
  400,
  'stopped',
  BEGIN_AGAIN,
  ['Autorização não reconhecida', 'O serviço do cartão não reconheceu esta autorização. Nada foi cobrado.'],
  [
    'Authorization not recognized',
    'The card service did not recognize this authorization. You were not charged.',
  ],
)

export const UNAVAILABLE = outcome(
  503,
  'stopped',
  BEGIN_AGAIN,
  ['O serviço do cartão não responde', 'Não foi possível concluir a autorização. Aguarde alguns minutos.'],
  ['The card service does not answer', 'We could not complete the authorization. Wait a few minutes.'],
)

export const BEING_CHECKED = outcome(
  200,
  'waiting',
  CLOSE,
  ['Estamos conferindo a autorização', 'Avisaremos a loja assim que o serviço do cartão responder.'],
  ['We are checking the authorization', 'We will tell the shop as soon as the card service answers.'],
)

/** Returns the page of an outcome. An outcome that is not named here is unknown. */
export function outcomeOf(told: RedirectOutcome): Outcome {
  const named: Partial<Record<RedirectOutcome, Outcome>> = {
    [RedirectOutcome.AUTHORIZED]: AUTHORIZED,
    [RedirectOutcome.REFUSED]: REFUSED,
    [RedirectOutcome.LINK_UNUSABLE]: LINK_UNUSABLE,
    [RedirectOutcome.CODE_REFUSED]: CODE_REFUSED,
    [RedirectOutcome.UNAVAILABLE]: UNAVAILABLE,
  }
  return named[told] ?? BEING_CHECKED
}
