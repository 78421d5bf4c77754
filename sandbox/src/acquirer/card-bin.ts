/** Describes a BIN as Cielo's sandbox does, which reads it digit by digit. */
export function describeBin(bin: string) {
  const [first, second, third, fourth, fifth, sixth] = bin
  return {
    Status: fifth === '2' ? '01' : fifth === '3' ? '02' : '00',
    Provider: { '3': 'AMEX', '5': 'MASTERCARD', '6': 'DISCOVER' }[first ?? ''] ?? 'VISA',
    CardType: { '3': 'Débito', '5': 'Crédito', '7': 'Crédito' }[second ?? ''] ?? 'Multiplo',
    ForeignCard: third !== '1',
    CorporateCard: fourth === '1',
    Issuer: { '1': 'Caixa', '2': 'Banco do Brasil' }[sixth ?? ''] ?? 'Bradesco',
    IssuerCode: { '1': '104', '2': '001' }[sixth ?? ''] ?? '237',
    Prepaid: second === '7',
  }
}
