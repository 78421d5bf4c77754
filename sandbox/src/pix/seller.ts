import { createHash } from 'node:crypto'
import { companyNumber } from '../bank/slip-answer'

/** A bank knows its clients; the sandbox invents one for each account. */
export function sellerOf(client: string) {
  const hash = createHash('sha256').update(client).digest().readUInt32BE()
  return {
    cnpj: companyNumber(String(hash % 100_000_000)),
    nome: `Recebedor de Teste ${client.slice(0, 60)}`,
    logradouro: 'Rua do Exemplo, 100, Centro',
    cidade: 'São Paulo',
    uf: 'SP',
    cep: '01001000',
  }
}
