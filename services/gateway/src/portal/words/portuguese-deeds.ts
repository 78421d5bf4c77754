/** What a person may do, what it does, and that it was done. */
export const DEEDS = {
  'All money that came was expected.': 'Todo o dinheiro que chegou era esperado.',
  'An invoice takes {left}. What it does not need stays on the receipt.':
    'Uma fatura recebe {left}. O que ela não usar fica no recebimento.',
  'Apply to an invoice': 'Aplicar a uma fatura',
  'Ask the payer for another card.': 'Peça outro cartão ao pagador.',
  'Ask the payer to check the card number, expiry date and security code. Then try again.':
    'Peça ao pagador que confira o número, a validade e o código de segurança do cartão. Depois tente de novo.',
  'Cancel the charge': 'Cancelar a cobrança',
  'Cancel the payment': 'Cancelar o pagamento',
  'Cancel the recurring invoice': 'Cancelar a fatura recorrente',
  'Capture the charge': 'Capturar',
  'Charged automatically on the due date': 'Cobrado automaticamente no vencimento',
  'Choose a product.': 'Escolha um produto.',
  Create: 'Criar',
  Delete: 'Excluir',
  'Do not try this card again: card brands fine retries after this decline.':
    'Não tente este cartão de novo: as bandeiras multam novas tentativas depois desta recusa.',
  Finalize: 'Finalizar',
  'Finalize: it asks for its payment at once': 'Finalizar: ela já pede o pagamento',
  'Give back by Pix': 'Devolver por Pix agora',
  'In Portuguese, at most 100 characters.': 'Em português, no máximo 100 caracteres.',
  'Invoices are made again from the next cycle on.':
    'As faturas voltam a ser geradas a partir do próximo ciclo.',
  Keep: 'Ficar com o dinheiro',
  'Made at the acquirer, not by a request to Cofre': 'Feito na adquirente, não por um pedido ao Cofre',
  'Charge the card now': 'Cobrar o cartão agora',
  'The card of the recurring invoice is charged {sum} now.':
    'O cartão da fatura recorrente é cobrado agora em {sum}.',
  'The card of the recurring invoice is charged {sum} now. Once that is paid, {late} of fine and interest is written off: the recurring invoice does not charge it to the card.':
    'O cartão da fatura recorrente é cobrado agora em {sum}. Depois do pagamento, {late} de multa e juros são baixados: a fatura recorrente não os cobra no cartão.',
  'The card was asked for the payment. “Payment attempts” shows what becomes of it.':
    'A cobrança foi enviada ao cartão. O resultado aparece em “Tentativas de pagamento”.',
  'The card was charged.': 'O cartão foi cobrado.',
  'The payment did not go through. “Payment attempts” says why.':
    'O pagamento não foi concluído. Veja o motivo em “Tentativas de pagamento”.',
  'Mark as uncollectible': 'Marcar como incobrável',
  'Needed only where several Pix paid the invoice.': 'Só é necessário quando mais de um Pix pagou a fatura.',
  'New customer': 'Novo cliente',
  'New invoice': 'Nova fatura',
  'New product': 'Novo produto',
  'No card holder has disputed a payment.': 'Nenhum portador contestou um pagamento.',
  'No charge has been made yet.': 'Nenhuma cobrança foi feita ainda.',
  'No further invoice is made, and no card is charged. You cannot undo this.':
    'Nenhuma outra fatura será gerada e nenhum cartão será cobrado. Não é possível desfazer.',
  'No invoice has been made yet.': 'Nenhuma fatura foi criada ainda.',
  'No invoice is made until you resume it.': 'Nenhuma fatura será gerada até você retomar.',
  'No money has moved yet.': 'Nenhum dinheiro se moveu ainda.',
  'No recurring invoice has been made yet.': 'Nenhuma fatura recorrente foi criada ainda.',
  'No voucher has paid yet.': 'Nenhum voucher pagou ainda.',
  'Nobody can pay the invoice any more. If an e-mail has asked the customer to pay, another one now says that it was cancelled. You cannot undo this.':
    'Ninguém poderá mais pagar a fatura. Se um e-mail pediu o pagamento ao cliente, outro avisa agora que ela foi cancelada. Não é possível desfazer.',
  'Nobody has tried to pay yet.': 'Ninguém tentou pagar ainda.',
  'Nothing has reached the acquirer yet.': 'Nada chegou à adquirente ainda.',
  'Nothing was captured yet: the hold of {sum} on the card ends.':
    'Nada foi capturado ainda: a reserva de {sum} no cartão termina.',
  Pause: 'Pausar',
  'Personal data are erased. Invoices keep the name, document and e-mail that are printed on them.':
    'Os dados pessoais são apagados. As faturas mantêm o nome, o documento e o e-mail impressos nelas.',
  'Record a payment': 'Registrar um pagamento',
  'Record a return': 'Registrar uma devolução',
  'Records money that you gave back in another way: at most {left}. No money moves.':
    'Registra o dinheiro que você devolveu de outra forma: no máximo {left}. Nenhum dinheiro se move.',
  'Records money that you received in another way. {sum} is payable today. No money moves.':
    'Registra o dinheiro que você recebeu de outra forma. Hoje o valor a pagar é {sum}. Nenhum dinheiro se move.',
  'Records that you gave the money back in another way: {left} at most. No money moves.':
    'Registra que você devolveu o dinheiro de outra forma: no máximo {left}. Nenhum dinheiro se move.',
  'Refund the charge': 'Estornar',
  'Refund by Pix': 'Devolver por Pix',
  Resume: 'Retomar',
  'Send by e-mail': 'Enviar por e-mail',
  'The acquirer takes the money from the card. It releases what you leave out of {sum}.':
    'A adquirente cobra o valor do cartão e libera o que você deixar de fora de {sum}.',
  'The amount was written off.': 'O valor foi baixado.',
  'The bank sends the money to the account that it came from. At most {left} can go back.':
    'O banco envia o dinheiro para a conta de onde ele veio. No máximo {left} podem voltar.',
  'The bank withdraws the Pix charge: nobody can pay it any more. A Pix that came before is kept.':
    'O banco retira a cobrança Pix: ninguém poderá mais pagá-la. Um Pix que chegou antes é mantido.',
  'The cancellation was sent to the issuer.': 'O cancelamento foi enviado ao emissor.',
  'The capture was sent to the acquirer.': 'A captura foi enviada à adquirente.',
  'The charge is being withdrawn at the bank.': 'A cobrança está sendo retirada no banco.',
  'The customer gets each invoice by e-mail': 'O cliente recebe cada fatura por e-mail',
  'The customer keeps no card.': 'O cliente não guarda nenhum cartão.',
  'The customer was created.': 'O cliente foi criado.',
  'The customer was deleted.': 'O cliente foi excluído.',
  'The dispute was accepted.': 'A contestação foi aceita.',
  'The inquiry took no money: accepting it only ends it.':
    'O pedido de informação não retirou dinheiro: aceitá-lo apenas o encerra.',
  'The invoice asks for {sum} from now on, and its items stay as they are.':
    'A fatura passa a cobrar {sum} e seus itens não mudam mais.',
  'The invoice took the money.': 'A fatura recebeu o dinheiro.',
  'The invoice was created.': 'A fatura foi criada.',
  'The invoice was finalized.': 'A fatura foi finalizada.',
  'The invoice was marked as uncollectible.': 'A fatura foi marcada como incobrável.',
  'The invoice was voided.': 'A fatura foi cancelada.',
  'The money goes back the way it came. Of {captured}, {left} can still be refunded.':
    'O dinheiro volta pelo caminho por onde veio. De {captured}, ainda é possível estornar {left}.',
  'The money goes back.': 'O dinheiro será devolvido.',
  'The money was kept.': 'Você ficou com o dinheiro.',
  'The payment was recorded.': 'O pagamento foi registrado.',
  'The product was created.': 'O produto foi criado.',
  'The product was deleted.': 'O produto foi excluído.',
  'The recurring invoice was cancelled.': 'A fatura recorrente foi cancelada.',
  'The recurring invoice was paused.': 'A fatura recorrente foi pausada.',
  'The recurring invoice was resumed.': 'A fatura recorrente foi retomada.',
  'The refund was sent to the acquirer.': 'O estorno foi enviado à adquirente.',
  'The refund was sent to the bank.': 'A devolução foi enviada ao banco.',
  'The return was recorded.': 'A devolução foi registrada.',
  'The same card may work later. Try again in one or two days.':
    'O mesmo cartão pode funcionar mais tarde. Tente de novo em um ou dois dias.',
  'There is no product yet.': 'Ainda não há produtos.',
  'There is no customer yet.': 'Ainda não há clientes.',
  'Void the invoice': 'Cancelar a fatura',
  'Write off': 'Dar baixa',
  'Write off what the money does not cover': 'Dar baixa no que o dinheiro não cobre',
  'You ask for this money no more. {sum} is owed today.':
    'Você deixa de cobrar este valor. Hoje a dívida é de {sum}.',
  'You give {sum} up for good. You cannot undo this.':
    'Você abre mão de {sum} em definitivo. Não é possível desfazer.',
  'You have one answer for this stage, until {day}: a file and your words to the issuer.':
    'Você tem uma única resposta nesta etapa, até {day}: um arquivo e suas palavras ao emissor.',
  'You have one answer for this stage: a file and your words to the issuer.':
    'Você tem uma única resposta nesta etapa: um arquivo e suas palavras ao emissor.',
  'You no longer expect the payment. The invoice can still be paid.':
    'Você não espera mais o pagamento. A fatura ainda pode ser paga.',
  'Your answer went to the acquirer.': 'Sua resposta foi enviada à adquirente.',
  '{left} becomes income without an invoice. You cannot undo this.':
    '{left} passam a ser receita sem fatura. Não é possível desfazer.',
  '{sum} goes back to the voucher. That is possible on the day of the payment only.':
    '{sum} voltam para o voucher. Isso só é possível no dia do pagamento.',
} as const
