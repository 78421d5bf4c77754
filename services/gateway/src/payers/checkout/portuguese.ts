import { listIn } from '@cofre/platform/written'
import { DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import type { PixEvery, Words } from './words'

const EVERY: Record<PixEvery, string> = {
  WEEKLY: 'por semana',
  MONTHLY: 'por mês',
  QUARTERLY: 'por trimestre',
  SEMIANNUALLY: 'por semestre',
  YEARLY: 'por ano',
}

const onYours = (cards: readonly string[]) =>
  cards.length === 0
    ? 'no cartão salvo'
    : `${cards.length === 1 ? 'no cartão' : 'nos cartões'} ${listIn('pt-BR', cards)}`

export const PORTUGUESE: Words = {
  language: 'pt-BR',
  otherLanguage: { language: 'en', name: 'English' },
  skip: 'Ir para o pagamento',
  payTitle: (number, sellerName) => `Fatura ${number}${sellerName === '' ? '' : ` · ${sellerName}`}`,
  labels: {
    invoice: 'Fatura',
    billedTo: 'Para',
    dueDate: 'Vencimento',
    paidOn: 'Pago em',
    card: 'Cartão',
    items: 'Itens',
    subtotal: 'Subtotal',
    fine: 'Multa',
    interest: 'Juros',
    lateCharges: 'Multa e juros',
    refunded: 'Estornado',
    toPay: 'Total a pagar',
    left: 'Falta pagar',
    alreadyPaid: 'Já pago',
    writtenOff: 'Abatimento',
    total: 'Total',
    paid: 'Total pago',
    pastDue: 'Vencida',
  },
  more: (count) => (count === 1 ? 'mais 1 item' : `mais ${count} itens`),
  moment: (day, clock) => `${day}, ${clock}`,
  discount: (lastDay) => `Desconto até ${lastDay}`,
  includesLateCharges: 'O valor inclui multa e juros por atraso.',
  grows: 'Valor de hoje: os juros aumentam a cada dia.',
  playPayer: 'Sandbox: fazer o papel do pagador',
  waits: (amount) =>
    `Recebemos ${amount}, mas esse valor ainda não foi usado nesta fatura. Antes de pagar de novo, fale com quem a emitiu.`,
  howToPay: 'Como você quer pagar?',
  methods: { CREDIT_CARD: 'Cartão de crédito', BOLETO: 'Boleto', PIX: 'Pix' },
  card: {
    number: 'Número do cartão',
    expiry: 'Validade',
    expiryHint: 'MM/AA',
    cvv: 'Código de segurança',
    cvvHint: 'CVV',
    holder: 'Nome impresso no cartão',
    installments: 'Parcelas',
    option: ({ count, each, first }, money, interestFree) => {
      if (count === 1) return `À vista: ${money(each)}`
      const free = interestFree ? ' sem juros' : ''
      return `${count}x de ${money(each)}${free}${first === each ? '' : ` (1ª de ${money(first)})`}`
    },
    payWithCard: 'Pagar com cartão',
    pay: (amount) => `Pagar ${amount}`,
    paying: 'Enviando o pagamento…',
    keep: 'Salvar este cartão para as cobranças automáticas desta loja: as próximas faturas e as que ainda estão em aberto. Ele substitui o cartão salvo antes. Você pode removê-lo quando quiser, na página de qualquer fatura.',
    safe: 'Seu cartão é criptografado neste navegador, antes do envio.',
    needsScript: 'Para pagar com cartão, ative o JavaScript: é ele que criptografa o cartão antes do envio.',
    needsHttps:
      'Este navegador não consegue criptografar o cartão. Abra esta página por https, em um navegador atualizado.',
    noAnswer: 'Não conseguimos falar com o servidor e nada foi cobrado. Confira sua conexão e tente de novo.',
    faults: {
      number: 'Confira o número do cartão.',
      expiry: 'Digite o mês e o ano da validade. Exemplo: 08/30.',
      expired: 'Este cartão está vencido.',
      cvv: 'Digite o código: 3 dígitos no verso, ou 4 na frente do Amex.',
      holder: 'Digite o nome como está no cartão.',
      installments: 'Escolha uma das opções da lista.',
    },
  },
  boleto: {
    intro:
      'Pague no aplicativo do seu banco, em um caixa eletrônico ou em uma lotérica. A confirmação pode levar até 3 dias úteis.',
    create: 'Gerar boleto',
    creating: 'Gerando o boleto…',
    ready: 'Seu boleto está pronto',
    payUntil: 'Pague até',
    amount: 'Valor',
    line: 'Linha digitável',
    copy: 'Copiar código',
    copied: 'Código copiado',
    pdf: 'Abrir boleto em PDF',
    waits: 'Esta página será atualizada automaticamente quando o banco confirmar o pagamento.',
    requested: {
      title: 'Registrando seu boleto',
      text: 'O banco está registrando o boleto. Isso costuma levar alguns segundos.',
    },
    unavailable: 'Esta fatura não pode ser paga com boleto. Pague de outra forma.',
    refused: 'O banco não registrou o boleto. Gere outro ou pague de outra forma.',
    barcode: 'Código de barras do boleto',
  },
  pix: {
    intro: 'Pague no aplicativo do seu banco, a qualquer hora. A confirmação chega em segundos.',
    create: 'Gerar código Pix',
    creating: 'Gerando o código Pix…',
    ready: 'Seu Pix está pronto',
    payUntil: 'Pague até',
    amount: 'Valor de hoje',
    howTo: 'No aplicativo do seu banco, escolha Pix e leia o QR Code, ou use Pix Copia e Cola.',
    code: 'Pix Copia e Cola',
    copy: 'Copiar código Pix',
    copied: 'Código copiado',
    qrCode: 'QR Code do Pix. O mesmo código está no texto abaixo.',
    left: 'Tempo restante',
    waits: 'Aguardando o pagamento. Esta página será atualizada automaticamente.',
    havePaid: 'Já paguei',
    automatic: {
      title: 'Pix Automático',
      text: ({ every, amount, first }) =>
        `Com este código você também pode autorizar o Pix Automático: ${amount ? `débito de ${amount}` : 'débito do valor de cada fatura, até o limite que você definir no aplicativo do seu banco,'} ${EVERY[every]}, a partir de ${first}.`,
      cancel: 'Você pode cancelar a qualquer momento no aplicativo do seu banco.',
      collected: (day) =>
        `Seu banco vai debitar esta fatura pelo Pix Automático em ${day}. Não é preciso pagar agora.`,
    },
    requested: {
      title: 'Gerando seu Pix',
      text: 'O banco está registrando a cobrança. Isso costuma levar alguns segundos.',
    },
    unavailable: 'Esta fatura não pode ser paga com Pix. Pague de outra forma.',
    refused: 'O banco não registrou a cobrança Pix. Gere outra ou pague de outra forma.',
  },
  buy: {
    pageTitle: (product, sellerName) => `${product}${sellerName === '' ? '' : ` · ${sellerName}`}`,
    price: 'Preço',
    payBy: 'Formas de pagamento',
    upTo: (best) => `ou em até ${best} no cartão`,
    who: 'Seus dados',
    why: 'Usamos estes dados para o pagamento e o recibo.',
    name: 'Nome completo',
    document: 'CPF ou CNPJ',
    email: 'E-mail',
    go: 'Continuar para o pagamento',
    faults: {
      name: 'Digite seu nome.',
      document: 'Digite um CPF ou CNPJ válido.',
      email: 'Digite um e-mail válido, como ana@exemplo.com.br.',
    },
    closed: {
      title: 'Este link não está mais à venda',
      text: 'A loja encerrou as vendas por este link. Se você já comprou, use o link do seu pagamento.',
    },
    waiting: (minutes) => ({
      title: 'Você já tem compras aguardando pagamento',
      text: `Pague uma delas ou espere ${minutes === 1 ? '1 minuto' : `${minutes} minutos`} e tente de novo.`,
    }),
  },
  keptCard: {
    text: (cards) =>
      cards.length === 0
        ? 'Você tem um cartão salvo para cobranças automáticas.'
        : `Salvo para cobranças automáticas: ${listIn('pt-BR', cards)}.`,
    remove: 'Remover cartão salvo',
    ask: {
      title: 'Remover o cartão salvo?',
      text: (cards) => `Não vamos mais fazer cobranças automáticas ${onYours(cards)}.`,
      yes: 'Sim, remover',
      no: 'Não, manter',
    },
    removed: {
      title: 'Cartão salvo removido',
      text: (cards) => `Não faremos mais cobranças automáticas ${onYours(cards)}.`,
      pay: 'Pagar esta fatura',
      back: 'Voltar para a fatura',
    },
    mailed: 'Suas próximas faturas vão chegar por e\u2011mail, cada uma com o link para pagar.',
    notMailed: 'Peça à loja os links das próximas faturas: não temos um e-mail seu.',
  },
  nextCharge: (on, card) =>
    `Vamos cobrar esta fatura no cartão ${card ?? 'salvo'} em ${on}. Não é preciso pagar agora.`,
  declined: {
    title: 'Pagamento não aprovado',
    nothingCharged: (card) => (card ? `Nada foi cobrado no cartão ${card}.` : 'Nada foi cobrado.'),
    retry: (on, card, next) =>
      `Vamos tentar de novo em ${on}${next ? `, no ${next === card ? 'mesmo cartão' : `cartão ${next}`}` : ''}: você não precisa fazer nada. Se preferir, pague agora com outro cartão.`,
    advice: {
      [DeclineAdvice.UNSPECIFIED]: 'Tente com outro cartão ou de outra forma.',
      [DeclineAdvice.TRY_LATER]:
        'O banco não aprovou agora. Espere um pouco e tente de novo, ou use outro cartão.',
      [DeclineAdvice.USE_ANOTHER_CARD]:
        'O banco não aprovou este cartão. Use outro cartão ou fale com o seu banco.',
      [DeclineAdvice.DO_NOT_RETRY]: 'Este cartão não pode ser usado. Use outro cartão.',
      [DeclineAdvice.FIX_DATA]: 'Confira número, validade e código de segurança, e tente de novo.',
    },
  },
  confirming: {
    title: 'Confirmando o pagamento',
    text: 'Ainda aguardamos a resposta do banco. Não pague de novo: esta página será atualizada automaticamente assim que ela chegar.',
  },
  refresh: 'Atualizar agora',
  paid: { title: 'Pagamento recebido', text: 'Obrigado! Você já pode fechar esta página.' },
  backToShop: 'Voltar para a loja',
  print: 'Imprimir recibo',
  void: { title: 'Esta fatura foi cancelada', text: 'Não há nada a pagar.' },
  expired: {
    title: 'O prazo para pagamento terminou',
    text: 'Esta fatura não pode mais ser paga aqui. Peça uma nova a quem fez a cobrança.',
  },
  noMethod: 'Esta fatura não pode ser paga por aqui. Fale com quem fez a cobrança.',
  nothingToPay: { title: 'Não há nada a pagar', text: 'O total desta fatura é zero.' },
  notFound: {
    title: 'Página não encontrada',
    text: 'Confira o endereço ou peça um novo link a quem fez a cobrança.',
  },
  tooMany: {
    title: 'Muitas tentativas',
    text: (minutes) =>
      `Nada foi cobrado. Espere ${minutes === 1 ? '1 minuto' : `${minutes} minutos`} e tente de novo, ou pague de outra forma.`,
  },
  openTooLong: {
    title: 'Seus dados não foram aceitos',
    text: 'Nada foi cobrado. Aceite os cookies desta página, confira os dados e envie de novo.',
  },
  amountChanged: {
    title: 'O valor mudou',
    text: 'O total mudou depois que você abriu esta página. Confira o novo valor e pague de novo.',
  },
  sealExpired: {
    title: 'Digite o cartão de novo',
    text: 'Nada foi cobrado. Não conseguimos usar os dados do cartão que você enviou.',
  },
  cardNotTaken: {
    title: 'Este cartão não é aceito aqui',
    text: 'Nada foi cobrado. Use um cartão de outra bandeira ou pague de outra forma.',
  },
  challenge: {
    title: 'Seu banco pede uma confirmação',
    text: 'Você será levado à página do seu banco. O cartão só será cobrado depois que você confirmar lá.',
    go: 'Ir para o banco',
  },
  notAuthenticated: {
    title: 'Seu banco não confirmou o pagamento',
    text: 'Nada foi cobrado. Tente de novo, use outro cartão ou pague de outra forma.',
  },
  busy: {
    title: 'Só um instante',
    text: 'Há muitos acessos agora, e ainda não foi possível verificar o seu pagamento. Tente de novo em alguns segundos.',
  },
  tryAgain: 'Tentar de novo',
  unavailable: {
    title: 'Não foi possível continuar agora',
    text: 'Nada foi cobrado. Tente de novo em alguns instantes.',
  },
  failed: {
    title: 'Algo falhou do nosso lado',
    text: 'Registramos o erro. Abra a página de novo antes de tentar pagar outra vez.',
  },
  requestId: 'Código do erro',
  footer: 'Pagamento seguro com Cofre',
}
