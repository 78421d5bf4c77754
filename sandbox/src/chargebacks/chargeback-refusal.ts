/** A refusal of the chargeback API, in its own words. */
export class ChargebackRefusal extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`HTTP ${status}`)
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  '103': 'Não há registros para os filtros informados.',
  '138': 'O tamanho da página deve ser de 1 a 200.',
  '900': 'Campo obrigatório ausente ou inválido.',
  '902': 'O caso não pertence ao estabelecimento informado.',
  '903': 'Arquivo inválido.',
  '904': 'O arquivo é obrigatório.',
  '905': 'O motivo da recusa deve ter até 100 caracteres.',
  '906': 'O período deve ter até 180 dias.',
  '909': 'Informe os estabelecimentos ou o cliente principal.',
  '927': 'O caso não tem documento.',
  '929': 'O nome do arquivo deve ser o número do caso.',
  '931': 'O caso já foi tratado.',
}

/** A business code travels in the body. */
export function refused(code: string, status = 412): ChargebackRefusal {
  return new ChargebackRefusal(status, coded(code))
}

export function coded(code: string): { code: string; message: string } {
  return { code, message: MESSAGES[code] ?? '' }
}
