import { isDeepStrictEqual } from 'node:util'
import type { PixCall } from '../call'
import { chargeKey, termsOf, type Charge, type ChargeKind } from './charge'
import { cobBody, cobRevision, cobVBody, cobVRevision } from './charge-request'
import { cobViolations, cobVViolations } from './charge-rules'
import { hold, newLocation, type Location } from '../locations/location'
import type { PixBank } from '../pix-bank'
import { PixRefusal, type Violation } from '../pix-refusal'
import { read } from '../shape'

const NOT_ACTIVE = 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.'

/**
 * Creates the charge of a txid. The document lets the same call alter a charge that is ATIVA: other terms are its next
 * revision. The same terms again change nothing, in every status.
 */
export function putCharge(bank: PixBank, call: PixCall, kind: ChargeKind, txid: string): Charge {
  const refuse = refusalOf(kind)
  const { loc, ...terms } =
    kind === 'cob'
      ? read(cobBody, call.body, 'CobOperacaoInvalida')
      : read(cobVBody, call.body, 'CobVOperacaoInvalida')
  const key = chargeKey({ client: call.client, txid })
  const known = bank.charges.get(key)
  if (known && known.kind !== kind) throw refuse('O txid está em uso por outra cobrança.', 'txid')
  if (known && isDeepStrictEqual(termsOf(known), terms) && keepsLocation(known, loc)) return known
  if (known && known.status !== 'ATIVA') throw refuse(NOT_ACTIVE, `${kind}.status`)
  const charge = known
    ? revised(known, terms)
    : ({
        kind,
        client: call.client,
        txid,
        status: 'ATIVA',
        createdAt: call.now,
        locId: 0,
        revisions: [terms],
        payments: [],
      } as Charge)
  return accept(bank, call, charge, loc)
}

/** Revises a charge, or withdraws it. `loc` alone is no revision. */
export function patchCharge(bank: PixBank, call: PixCall, charge: Charge): Charge {
  const { kind } = charge
  const refuse = refusalOf(kind)
  const { loc, status, ...changes } =
    kind === 'cob'
      ? read(cobRevision, call.body, 'CobOperacaoInvalida')
      : read(cobVRevision, call.body, 'CobVOperacaoInvalida')
  if (charge.status !== 'ATIVA') throw refuse(NOT_ACTIVE, `${kind}.status`)
  const alone = loc === undefined && Object.keys(changes).length === 0
  if (status !== undefined && !alone) {
    throw refuse('A remoção não pode acompanhar outras alterações.', `${kind}.status`)
  }
  const terms = termsOf(charge)
  if (status !== undefined) {
    const removed = { ...revised(charge, terms), status }
    bank.charges.save(removed)
    return removed
  }
  const { calendario, valor, ...others } = changes
  const merged = {
    ...terms,
    ...others,
    calendario: { ...terms.calendario, ...calendario },
    valor: { ...terms.valor, ...valor },
  }
  const changed = isDeepStrictEqual(merged, terms) ? charge : revised(charge, merged)
  return accept(bank, call, changed, loc)
}

function revised(charge: Charge, terms: object): Charge {
  return { ...charge, revisions: [...charge.revisions, terms] } as Charge
}

/** Saves a charge whose newest terms are allowed, at its location. */
function accept(bank: PixBank, call: PixCall, charge: Charge, loc: { id: number } | undefined): Charge {
  const { kind } = charge
  const violations: Violation[] =
    charge.kind === 'cob' ? cobViolations(termsOf(charge)) : cobVViolations(termsOf(charge), charge.createdAt)
  if (violations.length > 0) throw new PixRefusal(TYPES[kind], violations)
  claimKey(bank, call.client, termsOf(charge).chave, TYPES[kind])
  const location = locationFor(bank, call, charge, loc)
  if (charge.locId !== 0 && charge.locId !== location.id) hold(bank, charge.locId, undefined)
  const placed = { ...charge, locId: location.id }
  hold(bank, location.id, chargeKey(charge))
  bank.charges.save(placed)
  return placed
}

function locationFor(
  bank: PixBank,
  { client, now }: PixCall,
  charge: Charge,
  loc: { id: number } | undefined,
): Location {
  const { kind, locId } = charge
  if (loc === undefined && locId === 0) return newLocation(bank, client, kind, now)
  const location = bank.locations.get(String(loc?.id ?? locId))
  const refuse = refusalOf(kind)
  const member = `${kind}.loc.id`
  if (location?.client !== client) throw refuse(`O location referenciado por ${member} inexiste.`, member)
  if (location.kind !== kind)
    throw refuse(`O location referenciado por ${member} apresenta outro tipo.`, member)
  if (location.holder !== undefined && location.holder !== chargeKey(charge)) {
    throw refuse(`O location referenciado por ${member} já está sendo utilizado.`, member)
  }
  return location
}

/** The directory knows one owner of a key: the account whose call brings it first. */
export function claimKey(
  { keys }: PixBank,
  client: string,
  key: string,
  type: 'CobOperacaoInvalida' | 'CobVOperacaoInvalida' | 'WebhookOperacaoInvalida',
): void {
  const owner = keys.get(key)?.client
  if (owner === undefined) keys.save({ key, client })
  else if (owner !== client) {
    const razao = 'O campo chave corresponde a uma conta que não pertence a este usuário recebedor.'
    throw new PixRefusal(type, [{ razao, propriedade: 'chave' }])
  }
}

const TYPES = { cob: 'CobOperacaoInvalida', cobv: 'CobVOperacaoInvalida' } as const

function refusalOf(kind: ChargeKind) {
  return (razao: string, propriedade: string) => new PixRefusal(TYPES[kind], [{ razao, propriedade }])
}

function keepsLocation({ locId }: Charge, loc: { id: number } | undefined): boolean {
  return loc === undefined || loc.id === locId
}
