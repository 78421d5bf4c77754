import { randomBytes } from 'node:crypto'
import { moneyText } from '../money-text'
import type { Due } from '../charges/due'

/** This bank's number among the participants of Pix. */
export const ISPB = '99999008'
const MINUTES = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'UTC',
  dateStyle: 'short',
  timeStyle: 'short',
})

export type DevolutionStatus = 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'
export type Nature = 'ORIGINAL' | 'MED_OPERACIONAL' | 'MED_FRAUDE' | 'MED_PIX_AUTOMATICO'

/** Money that goes back. Cents; epoch milliseconds. */
export type Devolution = {
  id: string
  rtrId: string
  amount: number
  nature: Nature
  description?: string | undefined
  status: DevolutionStatus
  askedAt: number
  settledAt?: number | undefined
}

/** Who paid. Banks may leave it out. */
export type Payer = { document: string; name: string }

/** A Pix that came in. `charge`: the key of the charge that it pays. Cents; epoch milliseconds. */
export type Received = {
  endToEndId: string
  client: string
  /** Absent when it was collected: Pix Automático needs no key. */
  key?: string | undefined
  txid?: string | undefined
  charge?: string | undefined
  amount: number
  due?: Omit<Due, 'total'> | undefined
  payer?: Payer | undefined
  /** What the payer wrote. */
  note?: string | undefined
  at: number
  devolutions: readonly Devolution[]
}

/** Returns a unique number of a payment (E) or a return (D). */
export function newMessageId(kind: 'E' | 'D', at: number): string {
  const minute = MINUTES.format(at).replaceAll(/\D/g, '')
  return `${kind}${ISPB}${minute}${randomBytes(6).toString('hex').slice(0, 11)}`
}

/** Returns what the seller may still send back, cents. */
export function returnable({ amount, devolutions }: Received): number {
  const gone = devolutions.filter(({ status }) => status !== 'NAO_REALIZADO')
  return gone.reduce((left, devolution) => left - devolution.amount, amount)
}

/** Returns a Pix as the document shows it, and its payer, whom the banks add. */
export function presentPix({ endToEndId, txid, amount, due, key, at, payer, note, devolutions }: Received) {
  return {
    endToEndId,
    ...(txid !== undefined && { txid }),
    valor: moneyText(amount),
    componentesValor: componentsOf(due ?? { original: amount }),
    ...(key !== undefined && { chave: key }),
    horario: new Date(at).toISOString(),
    ...(note !== undefined && { infoPagador: note }),
    ...(payer && { pagador: presentPayer(payer) }),
    ...(devolutions.length > 0 && { devolucoes: devolutions.map(presentDevolution) }),
  }
}

export function presentPayer({ document, name }: Payer) {
  return { [document.length === 11 ? 'cpf' : 'cnpj']: document, nome: name }
}

export function presentDevolution(devolution: Devolution) {
  const { id, rtrId, amount, nature, description, status, askedAt, settledAt } = devolution
  return {
    id,
    rtrId,
    valor: moneyText(amount),
    natureza: nature,
    ...(description !== undefined && { descricao: description }),
    horario: {
      solicitacao: new Date(askedAt).toISOString(),
      ...(settledAt !== undefined && { liquidacao: new Date(settledAt).toISOString() }),
    },
    status,
    ...(status === 'NAO_REALIZADO' && { motivo: 'A conta do pagador foi encerrada.' }),
  }
}

/** A component of zero is left out; the original is always there. */
function componentsOf(due: Partial<Due>) {
  const parts = Object.entries(due).filter(([name, cents]) => name === 'original' || cents !== 0)
  return Object.fromEntries(parts.map(([name, cents]) => [name, { valor: moneyText(cents) }]))
}
