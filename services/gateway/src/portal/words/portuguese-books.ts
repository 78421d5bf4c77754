/** What a bookkeeper reads. */
export const BOOKS = {
  'At most {sum}.': 'No máximo {sum}.',
  'Boleto: bank’s number or typed line': 'Boleto: número no banco ou linha digitável',
  'Discount for an early payment': 'Desconto por pagamento antecipado',
  'Disputes of these days': 'Contestações destes dias',
  'Done in the portal': 'Feito no portal',
  'Fine and interest were waived': 'Multa e juros dispensados',
  'I have checked that the money is for another customer': 'Conferi que o dinheiro é para outro cliente',
  'Last month': 'Mês passado',
  'Money counts on the day when it moved; what a dispute of a charge takes, when Cofre learned of it. A charge of an invoice counts as its payment alone. What invoices received includes money that you kept or gave back without an invoice. Net leaves out the acquirer’s fees.':
    'O dinheiro conta no dia em que se moveu; o que uma contestação de cobrança retira, no dia em que o Cofre soube. A cobrança de uma fatura conta só como pagamento dela. O recebido em faturas inclui o dinheiro sem fatura que você manteve ou devolveu. As taxas da adquirente não são descontadas.',
  'Money that waits for you': 'Dinheiro aguardando você',
  'No open invoice has this number.': 'Nenhuma fatura em aberto tem este número.',
  'Nothing of yours has this number.': 'Não foi encontrado.',
  'The day cannot lie in the future.': 'A data não pode ser futura.',
  'The payer was asked for less': 'Foi cobrado menos do pagador',
  'This is more than is left.': 'É mais do que resta.',
  'What became of it': 'O que foi feito do dinheiro',
  'Number of another invoice': 'Número de outra fatura',
  'Number of the invoice': 'Número da fatura',
  'Open invoice of the customer': 'Fatura em aberto do cliente',
  'This month': 'Este mês',
  'This invoice is of {name}, who owes {sum}. Tick the box below if the money is theirs.':
    'Esta fatura é de {name}, que deve {sum}. Marque a opção abaixo se o dinheiro é dessa pessoa.',
  'Received on invoices': 'Recebido em faturas',
  Recorded: 'Registrado em',
} as const
