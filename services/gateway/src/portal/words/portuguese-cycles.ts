/** What is charged by itself, and what a recurring invoice does next. */
export const CYCLES = {
  'A payment by this card is disputed.': 'Um pagamento com este cartão está contestado.',
  'All later cycles are counted from this day. Each is billed once and in full.':
    'Os ciclos seguintes são contados a partir deste dia. Cada um é faturado uma vez, por inteiro.',
  'As it is': 'Como está',
  'Automatic charge': 'Cobrança automática',
  'Card fails': 'Cartão com falha',
  'Card given up': 'Cartão sem novas tentativas',
  'Each cycle': 'Por ciclo',
  'Choose a card': 'Escolha um cartão',
  'Choose which card is charged.': 'Escolha qual cartão será cobrado.',
  'It is charged where the payment is automatic.': 'É cobrado quando o pagamento é automático.',
  '{cost}, from day {day} after the due date on': '{cost}, a partir do {day}º dia após o vencimento',
  '{saved} until the due date': '{saved} até o vencimento',
  '{saved} until {days} days before the due date': '{saved} até {days} dias antes do vencimento',
  '{share} a month': '{share} ao mês',
  '{sum} a day': '{sum} por dia',
  'Its card fails.': 'O cartão está falhando.',
  'Its card was given up.': 'Não há novas tentativas no cartão.',
  'No card is tried any more for an open invoice. Open the invoice: charge the card once more there, or send its payment page, which takes another card.':
    'Há uma fatura em aberto sem novas tentativas no cartão. Abra a fatura: cobre o cartão mais uma vez ou envie a página de pagamento, que aceita outro cartão.',
  'Plans whose card fails': 'Faturas recorrentes com falha no cartão',
  'The card was declined for an open invoice, or cannot be charged. The invoice says why, and when a card is tried again. Its payment page takes another card.':
    'O cartão foi recusado em uma fatura em aberto ou não pode ser cobrado. A fatura diz o motivo e quando haverá nova tentativa. A página de pagamento aceita outro cartão.',
  'Their customers may have to keep another card.': 'Os clientes talvez precisem guardar outro cartão.',
  'Its invoices reach nobody.': 'As faturas não chegam a ninguém.',
  'This invoice reaches nobody.': 'Esta fatura não chega a ninguém.',
  'Reaches nobody': 'Não chega a ninguém',
  'The customer has no e-mail address, so no letter leaves. Add an address, or hand over the link of the payment page.':
    'O cliente não tem e-mail, por isso nenhuma mensagem é enviada. Adicione um e-mail ou entregue você mesmo o link da página de pagamento.',
  'The customer has no e-mail address, so no letter leaves. Add an address, or hand over the payment page of each invoice.':
    'O cliente não tem e-mail, por isso nenhuma mensagem é enviada. Adicione um e-mail ou entregue você mesmo a página de pagamento de cada fatura.',
  'The customer has neither an e-mail address nor a card that can be charged. Add an address and send the invoice: its payment page takes a card for the next ones too.':
    'O cliente não tem e-mail nem cartão que possa ser cobrado. Adicione um e-mail e envie a fatura: na página de pagamento, o cliente também pode guardar um cartão para as próximas.',
  'The customer has neither an e-mail address nor a card that can be charged. Add an address: each invoice then leaves by e-mail, and its payment page takes a card for the next ones too.':
    'O cliente não tem e-mail nem cartão que possa ser cobrado. Adicione um e-mail: cada fatura passa a ser enviada, e na página de pagamento o cliente também pode guardar um cartão para as próximas.',
  'Booklet cancelled': 'Carnê cancelado',
  Change: 'Alterar',
  Cycle: 'Ciclo',
  'Holds from the cycle of {day} on, a card from the next try on. Invoices that were made stay as they are; for one that was given up, use “Charge the card now”.':
    'Vale a partir do ciclo de {day}; o cartão, a partir da próxima tentativa. As faturas já geradas ficam como estão; para uma sem novas tentativas, use “Cobrar o cartão agora”.',
  'Holds from the next cycle on, a card from the next try on. Invoices that were made stay as they are; for one that was given up, use “Charge the card now”.':
    'Vale a partir do próximo ciclo; o cartão, a partir da próxima tentativa. As faturas já geradas ficam como estão; para uma sem novas tentativas, use “Cobrar o cartão agora”.',
  'Given up': 'Sem novas tentativas',
  'It was changed meanwhile. Open the page again.':
    'Houve outra alteração nesse meio-tempo. Abra a página de novo.',
  'Invoice made': 'Fatura gerada em',
  'Money for this invoice waits among the unexpected receipts. Nothing was charged.':
    'Há dinheiro desta fatura entre os recebimentos inesperados. Nada foi cobrado.',
  'Next cycles': 'Próximos ciclos',
  'No cycle follows.': 'Nenhum ciclo por vir.',
  'Open the customer': 'Abrir o cliente',
  PDF: 'PDF',
  'The bank was told of no address of the payer.': 'O banco não recebeu o endereço do pagador.',
  'The cashier does not read all instructions.': 'O caixa não lê todas as instruções.',
  'The customer lacks street, city, state or ZIP code. Complete the address: the next boleto is registered with it.':
    'Faltam rua, cidade, estado ou CEP do cliente. Complete o endereço: o próximo boleto será registrado com ele.',
  'They are too long for the part of the slip that the cashier reads. The payer’s part has all of them.':
    'Elas são longas demais para a parte do boleto que o caixa lê. A parte do pagador traz todas.',
  'Payments cannot be made with this card.': 'Não é possível pagar com este cartão.',
  Stopped: 'Interrompida',
  'The acquirer could not be reached. Nothing was charged.': 'A adquirente não respondeu. Nada foi cobrado.',
  'The bank has not said yet whether the boleto was paid. Nothing was charged.':
    'O banco ainda não disse se o boleto foi pago. Nada foi cobrado.',
  'The card brand allows no further attempt with this card.':
    'A bandeira não permite outra tentativa com este cartão.',
  'The card is charged from the next try on.': 'O cartão é cobrado a partir da próxima tentativa.',
  'The card that the customer keeps': 'O cartão que o cliente guardou',
  'The recurring invoice was changed.': 'A fatura recorrente foi alterada.',
  'The card has expired.': 'O cartão venceu.',
  'The card was authorized, but the money was not captured.':
    'O cartão foi autorizado, mas o valor não foi capturado.',
  'The card was deleted.': 'O cartão foi excluído.',
  'The charge failed, and no issuer declined it.': 'A cobrança falhou, e nenhum emissor a recusou.',
  'The customer has to pay or keep another card': 'O cliente precisa pagar ou guardar outro cartão',
  'The invoice can no longer be paid.': 'A fatura não pode mais ser paga.',
  'The invoice takes no cards.': 'A fatura não aceita cartões.',
  'The invoice was paid in another way.': 'A fatura foi paga de outra forma.',
  'The recurring invoice is paused: no card is charged until you resume it.':
    'A fatura recorrente está em pausa: nenhum cartão é cobrado até você retomá-la.',
  'Waits for its day': 'Espera o dia',
  'You keep money that was paid for this invoice.': 'Você ficou com dinheiro pago por esta fatura.',
  'Your account takes no payments by card.': 'Sua conta não aceita pagamentos com cartão.',
  'Void the booklet': 'Cancelar o carnê',
  'No invoice of this booklet is open. There is nothing to void.':
    'Nenhuma fatura deste carnê está em aberto. Não há o que cancelar.',
  'Open invoices: {count}, together {sum}. They are voided with their slips, and nobody can pay them any more. Paid ones stay as they are. You cannot undo this.':
    'Faturas em aberto: {count}, no total de {sum}. Elas serão canceladas com seus boletos, e ninguém poderá mais pagá-las. As pagas ficam como estão. Não é possível desfazer.',
  'Invoices that were voided: {count}.': 'Faturas canceladas: {count}.',
  '{said} These stay, since a payment is under way or they hold money: {numbers}.':
    '{said} Estas continuam em aberto, porque há um pagamento em andamento ou já receberam dinheiro: {numbers}.',
}
