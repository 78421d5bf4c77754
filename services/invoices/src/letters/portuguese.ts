import { cardIn, dayIn, moneyIn } from '@cofre/platform/written'
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
    sentence: ({ number }, from, { card = 'cadastrado' }) =>
      `O pagamento da fatura ${number}${from} com o cartão ${card} não foi concluído. Pague com outro cartão, ou de outra forma, pelo link abaixo.`,
  },
  retry: {
    subject: ({ number }, from) =>
      `Fatura ${number}${from}: a cobrança no cartão não foi concluída, vamos tentar de novo`,
    title: 'A cobrança no seu cartão não foi concluída',
    sentence: ({ number }, from, { card, next, on }) =>
      `A cobrança da fatura ${number}${from}${card ? ` no cartão ${card}` : ''} não foi concluída. Vamos tentar de novo${on ? ` em ${on}` : ''}${next ? `, no ${next === card ? 'mesmo cartão' : `cartão ${next}`}` : ''}: você não precisa fazer nada. Se preferir, pague agora de outra forma ou deixe outro cartão, pelo link abaixo.`,
  },
  free: (on) => `Até ${on}, não há multa nem juros.`,
  whyDeclined: {
    expired: 'O cartão venceu ou sua validade mudou.',
    silent: 'O banco do cartão não respondeu.',
    refused: 'O banco do cartão não aprovou a cobrança. Só o banco pode informar o motivo.',
  },
  notCollected: {
    subject: ({ number }, from) => `Fatura ${number}${from}: o Pix Automático não foi concluído`,
    title: 'O Pix Automático não foi concluído',
    sentence: ({ number }, from) =>
      `Seu banco não concluiu o débito da fatura ${number}${from} pelo Pix Automático. Pague de outra forma pelo link abaixo.`,
  },
  receipt: {
    subject: ({ number }, from) => `Recibo da fatura ${number}${from}`,
    title: 'Pagamento recebido',
    sentence: ({ number }, from, paidOn) =>
      `O pagamento da fatura ${number}${from} foi recebido em ${paidOn}. Obrigado!`,
  },
  givenBack: {
    subject: ({ number }, from) => `Fatura ${number}${from}: devolvemos a cobrança no seu cartão`,
    title: 'A cobrança no cartão foi devolvida',
    paidOtherwise: ({ number }, from) =>
      `Seu cartão foi cobrado pela fatura ${number}${from}, mas ela já tinha sido paga de outra forma. O valor abaixo foi devolvido.`,
    notTaken: ({ number }, from) =>
      `Seu cartão foi cobrado pela fatura ${number}${from}, mas o pagamento não pôde ser concluído. O valor abaixo foi devolvido.`,
    shows: 'O estorno pode levar alguns dias para aparecer na fatura do cartão.',
  },
  refunded: {
    subject: ({ number }, from, amount) => `Fatura ${number}${from}: devolução de ${amount}`,
    title: 'Seu dinheiro foi devolvido',
    whole: ({ number }, from, on) =>
      `O valor que você pagou pela fatura ${number}${from} foi devolvido em ${on}.`,
    part: ({ number }, from, on) =>
      `Uma parte do que você pagou pela fatura ${number}${from} foi devolvida em ${on}.`,
    comes: {
      CREDIT_CARD:
        'O dinheiro volta para o cartão usado no pagamento. O estorno pode levar alguns dias para aparecer na fatura do cartão.',
      PIX: 'O dinheiro volta por Pix para a conta de onde saiu o pagamento.',
      BOLETO: 'Quem emitiu a fatura fez a devolução diretamente a você.',
      EXTERNAL: 'Quem emitiu a fatura fez a devolução diretamente a você.',
    },
  },
  booklet: {
    subject: ({ count, due }, from) =>
      count === 1
        ? `Carnê${from}: 1 fatura, vence em ${due}`
        : `Carnê${from}: ${count} faturas, a primeira vence em ${due}`,
    title: 'Seu carnê chegou',
    sentence: ({ count, due }, from) =>
      count === 1
        ? `Seu carnê${from} tem 1 fatura, que vence em ${due}.`
        : `Seu carnê${from} tem ${count} faturas. A primeira vence em ${due}.`,
    part: (number, due) => `Fatura ${number}, vence em ${due}`,
    attached: 'Os boletos estão em anexo, em um só PDF.',
    others: 'Os demais boletos são emitidos na página de cada fatura.',
    pay: 'Pagar a primeira fatura',
  },
  voided: {
    subject: ({ number }, from) => `A fatura ${number}${from} foi cancelada: não é preciso pagar`,
    title: 'Sua fatura foi cancelada',
    sentence: ({ number, due }, from) =>
      `A fatura ${number}${from}, com vencimento em ${due}, foi cancelada. Você não precisa pagá-la.`,
    note: 'Não use mais o boleto nem o código Pix desta fatura. Se já pagou, fale com quem a emitiu.',
  },
  from: (sellerName) => (sellerName === '' ? '' : ` de ${sellerName}`),
  labels: {
    invoice: 'Fatura',
    dueDate: 'Vencimento',
    boletoLine: 'Linha digitável do boleto',
    paidOn: 'Pago em',
    paidBy: 'Forma de pagamento',
    items: 'Itens',
    invoices: 'Faturas',
    booklet: 'Total do carnê',
    subtotal: 'Subtotal',
    fine: 'Multa',
    interest: 'Juros',
    lateCharges: 'Multa e juros',
    refunded: 'Estornado',
    givenBack: 'Valor devolvido',
    voided: 'Valor cancelado',
    toPay: 'Total a pagar',
    left: 'Falta pagar',
    alreadyPaid: 'Já pago',
    writtenOff: 'Abatimento',
    paid: 'Total pago',
    pay: 'Pagar a fatura',
    manage: 'Ver a fatura ou remover o cartão salvo',
  },
  pix: {
    title: 'Pague com Pix',
    howTo: (lastDay) =>
      `No aplicativo do seu banco, escolha Pix e leia o QR Code, ou use Pix Copia e Cola. O código funciona até ${lastDay}; o vencimento da fatura não muda.`,
    label: 'Pix Copia e Cola',
    picture: 'QR Code do Pix',
  },
  paidBy: ({ method, installments, card }) => {
    if (method !== 'CREDIT_CARD')
      return { PIX: 'Pix', BOLETO: 'Boleto', EXTERNAL: 'Pago diretamente à loja' }[method]
    const by = card ? `Cartão de crédito (${cardIn('pt-BR', card)})` : 'Cartão de crédito'
    if (installments === null) return by
    return installments > 1 ? `${by}, ${installments} parcelas` : `${by}, à vista`
  },
  discount: (lastDay) => `Desconto até ${lastDay}`,
  more: (count) => (count === 1 ? 'e mais 1 item' : `e mais ${count} itens`),
  orOpen: 'Ou abra no navegador:',
  waits: (amount) =>
    `Recebemos ${amount}, mas esse valor ainda não foi usado nesta fatura. Antes de pagar de novo, fale com quem a emitiu.`,
  attached: 'O boleto está em anexo, em PDF.',
  grows: 'Valor de hoje: os juros aumentam a cada dia.',
  questions: ({ email, phone }) => {
    const ways = [email && `Escreva para ${email}`, phone && `ligue para ${phone}`].filter(
      (way) => way !== '',
    )
    const said = ways.join(' ou ')
    return `Dúvidas? ${said.charAt(0).toUpperCase()}${said.slice(1)}.`
  },
  why: (sellerName) =>
    sellerName === ''
      ? 'Você recebe este e-mail porque há uma fatura em seu nome.'
      : `Você recebe este e-mail porque ${sellerName} emitiu uma fatura em seu nome.`,
  doubt: (sellerName) =>
    `Não reconhece esta cobrança? Não pague, e fale com ${sellerName === '' ? 'quem a emitiu' : sellerName}.`,
}
