import type { Json } from '../support'
import type { PixSandbox } from './pix-bank'

/** Returns a day so many days from today, in Brasília. */
export function inDays(days: number): string {
  return new Date(Date.now() - 3 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
}

export function rec(changes: object = {}) {
  return {
    vinculo: {
      contrato: '63100862',
      devedor: { cpf: '12345678909', nome: 'Ana Souza' },
      objeto: 'Plano mensal',
    },
    calendario: { dataInicial: inDays(3), periodicidade: 'MENSAL' },
    valor: { valorRec: '35.00' },
    politicaRetentativa: 'PERMITE_3R_7D',
    ...changes,
  }
}

export function cobr(idRec: string, changes: object = {}) {
  return {
    idRec,
    infoAdicional: 'Plano de maio',
    calendario: { dataDeVencimento: inDays(5) },
    valor: { original: '35.00' },
    ajusteDiaUtil: false,
    recebedor: { agencia: '9708', conta: '012682', tipoConta: 'CORRENTE' },
    ...changes,
  }
}

/** Returns a permission that the payer has given. */
export async function approved(pix: PixSandbox, changes: object = {}): Promise<Json> {
  const { body } = await pix.bank('POST', '/rec', rec(changes))
  await pix.control('POST', `/pix/recs/${body.idRec}/accept`)
  return (await pix.bank('GET', `/rec/${body.idRec}`)).body
}
