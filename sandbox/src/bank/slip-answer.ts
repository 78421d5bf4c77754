import { presentReceipt } from './notice-sender'
import { statusOf, type Slip } from './slip'

/** Returns a slip as the bank's API shows it. */
export function presentSlip(slip: Slip, at: number) {
  return {
    nossoNumero: slip.ourNumber,
    numeroConvenio: slip.agreement,
    numeroDocumento: slip.documentNumber,
    situacao: statusOf(slip, at),
    linhaDigitavel: slip.line,
    codigoBarras: slip.code,
    dataVencimento: slip.dueDate,
    dataLimitePagamento: slip.payableUntil,
    valorOriginal: slip.amount / 100,
    pagador: { numeroInscricao: slip.payer.document },
    beneficiario: beneficiaryOf(slip.agreement),
    pagamentos: slip.receipts.map(presentReceipt),
  }
}

/** Returns a slip as the sandbox shows it: amounts in cents, times in epoch milliseconds. */
export function presentTruth(slip: Slip, at: number) {
  return {
    ourNumber: slip.ourNumber,
    agreement: slip.agreement,
    status: statusOf(slip, at),
    digitableLine: slip.line,
    barcode: slip.code,
    dueDate: slip.dueDate,
    payableUntil: slip.payableUntil,
    amount: slip.amount,
    payer: slip.payer,
    cancelled: slip.cancelled,
    payments: slip.receipts,
    registeredAt: slip.registeredAt,
  }
}

/** Returns the beneficiary of an agreement. A bank knows its clients; the sandbox invents one for each. */
function beneficiaryOf(agreement: string) {
  return {
    nome: `Beneficiário de Teste ${agreement} Ltda`,
    cpfCnpj: companyNumber(agreement),
    agencia: '1234-3',
    conta: `${agreement.slice(0, 5)}-${agreement.slice(5, 6)}`,
    endereco: 'Rua do Exemplo, 100, Centro, São Paulo - SP, 01001-000',
  }
}

/** Returns a well-formed CNPJ. */
export function companyNumber(agreement: string): string {
  const base = `${agreement.padStart(8, '0')}0001`
  const first = digitOf(base)
  return `${base}${first}${digitOf(`${base}${first}`)}`
}

function digitOf(digits: string): number {
  const sum = Array.from(digits, Number)
    .reverse()
    .reduce((total, digit, at) => total + digit * ((at % 8) + 2), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}
