import type { Language } from '../identity/language'

const PORTUGUESE = {
  title: 'Confirme a compra',
  bank: 'Banco de testes',
  sandbox: 'Ambiente de testes: nenhuma cobrança é real.',
  shop: 'Loja',
  amount: 'Valor',
  card: 'Cartão',
  endingIn: 'final',
  sent: 'Digite o código que enviamos para o seu celular.',
  code: 'Código de 6 dígitos',
  wrong: 'O código está incorreto. Tente de novo.',
  confirm: 'Confirmar',
  giveUp: 'Cancelar e voltar à loja',
  hint: 'Nos testes o código é 123456. Ou decida com um botão:',
  approve: 'Aprovar',
  decline: 'Recusar',
  over: 'Esta confirmação terminou',
  overReason: 'Ela já foi respondida, ou o prazo terminou. Volte à loja.',
  back: 'Voltar à loja',
}

export type ChallengeWords = typeof PORTUGUESE

const ENGLISH: ChallengeWords = {
  title: 'Confirm your purchase',
  bank: 'Test bank',
  sandbox: 'Test environment: no money moves.',
  shop: 'Shop',
  amount: 'Amount',
  card: 'Card',
  endingIn: 'ending in',
  sent: 'Enter the code that we sent to your phone.',
  code: '6-digit code',
  wrong: 'The code is wrong. Try again.',
  confirm: 'Confirm',
  giveUp: 'Cancel and go back to the shop',
  hint: 'In tests the code is 123456. Or decide with a button:',
  approve: 'Approve',
  decline: 'Decline',
  over: 'This confirmation has ended',
  overReason: 'You have already answered it, or it has expired. Go back to the shop.',
  back: 'Back to the shop',
}

export const CHALLENGE_WORDS: Readonly<Record<Language, ChallengeWords>> = {
  'pt-BR': PORTUGUESE,
  en: ENGLISH,
}
