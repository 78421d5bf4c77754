/** What is typed about a customer, and to bill it. */
export const CUSTOMERS = {
  'Area code (DDD)': 'DDD',
  CEP: 'CEP',
  City: 'Cidade',
  Complement: 'Complemento',
  'House number': 'Número',
  'Invoices that exist keep the customer as it was.': 'As faturas existentes mantêm o cliente como ele era.',
  'Days from the cycle to the due date': 'Dias do ciclo até o vencimento',
  'Empty: today.': 'Em branco: hoje.',
  'First cycle': 'Primeiro ciclo',
  'New booklet': 'Novo carnê',
  'New recurring invoice': 'Nova fatura recorrente',
  'Number of invoices': 'Número de faturas',
  'Print the slips': 'Imprimir os boletos',
  'The booklet was created. Its slips can be printed once the bank has registered them.':
    'O carnê foi criado. Os boletos podem ser impressos assim que o banco os registrar.',
  'The recurring invoice was created.': 'A fatura recorrente foi criada.',
  Neighborhood: 'Bairro',
  State: 'Estado (UF)',
  Street: 'Rua',
  'The customer was changed.': 'O cliente foi alterado.',
}
