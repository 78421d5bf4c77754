import { dayIn, moneyIn } from '@cofre/platform/written'
import type { Words } from './words'

export const PORTUGUESE: Words = {
  language: 'pt-BR',
  money: (cents) => moneyIn('pt-BR', cents),
  day: (day) => dayIn('pt-BR', day),
  greeting: (name) => (name === '' ? 'Olá!' : `Olá, ${name}!`),
  issued: {
    subject: ({ number, due }, from) => `Fatura ${number}${from}: vence em ${due}`,
    title: 'Sua fatura chegou',
    sentence: ({ number, due }, from) => `A fatura ${number}${from} vence em ${due}.`,
  },
  reminder: {
    before: {
      subject: ({ number, due }, from) => `Lembrete: a fatura ${number}${from} vence em ${due}`,
      title: 'Sua fatura está para vencer',
      sentence: ({ number, due }, from) =>
        `A fatura ${number}${from} vence em ${due}. Se já pagou, desconsidere este aviso.`,
    },
    today: {
      subject: ({ number }, from) => `A fatura ${number}${from} vence hoje`,
      title: 'Sua fatura vence hoje',
      sentence: ({ number, due }, from) =>
        `A fatura ${number}${from} vence hoje, ${due}. Se já pagou, desconsidere este aviso.`,
    },
    grace: {
      subject: ({ number, lastDay }, from) => `Fatura ${number}${from}: pague até ${lastDay} sem multa`,
      title: 'Sua fatura ainda não foi paga',
      sentence: ({ number, due, lastDay }, from) =>
        `A fatura ${number}${from} venceu em ${due}, dia sem expediente bancário. Até ${lastDay}, ela é paga sem multa nem juros.`,
    },
    late: {
      subject: ({ number, due }, from) => `A fatura ${number}${from} venceu em ${due}`,
      title: 'Sua fatura está vencida',
      sentence: ({ number, due }, from) =>
        `A fatura ${number}${from} venceu em ${due} e ainda não foi paga. Se já pagou, desconsidere este aviso.`,
    },
  },
  declined: {
    subject: ({ number }, from) => `Fatura ${number}${from}: não conseguimos cobrar seu cartão`,
    title: 'Não conseguimos cobrar seu cartão',
    sentence: ({ number }, from) =>
      `O pagamento da fatura ${number}${from} com o cartão cadastrado não foi concluído. Pague com outro cartão, ou de outra forma, pelo link abaixo.`,
  },
  receipt: {
    subject: ({ number }, from) => `Recibo da fatura ${number}${from}`,
    title: 'Pagamento recebido',
    sentence: ({ number }, paidOn) => `O pagamento da fatura ${number} foi recebido em ${paidOn}. Obrigado!`,
  },
  from: (sellerName) => (sellerName === '' ? '' : ` de ${sellerName}`),
  labels: {
    invoice: 'Fatura',
    dueDate: 'Vencimento',
    paidOn: 'Pago em',
    items: 'Itens',
    subtotal: 'Subtotal',
    fine: 'Multa',
    interest: 'Juros',
    lateCharges: 'Multa e juros',
    refunded: 'Estornado',
    toPay: 'Total a pagar',
    paid: 'Total pago',
    pay: 'Pagar a fatura',
  },
  more: (count) => (count === 1 ? 'e mais 1 item' : `e mais ${count} itens`),
  orOpen: 'Ou abra no navegador:',
  grows: 'Valor de hoje: os juros aumentam a cada dia.',
  why: (sellerName) =>
    sellerName === ''
      ? 'Você recebe este e-mail porque há uma fatura em seu nome.'
      : `Você recebe este e-mail porque ${sellerName} emitiu uma fatura em seu nome.`,
  doubt: 'Não reconhece esta cobrança? Não pague, e fale com quem a emitiu.',
}
