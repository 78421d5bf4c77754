import type { CalendarDay } from '@cofre/platform/calendar-day'
import { isDone, isRefused } from '@cofre/platform/outbound/partner-answers'
import { problemOf } from '@cofre/platform/outbound/pix-api'
import type { BankCharge, Failed, PixAccount } from '../bank/pix-bank'
import type { Call } from '../bank/rest-pix-bank'
import type { PixCharge } from '../rules/pix-charge'
import { CANCELLED, collectionOf, locationOf, permissionBody, permissionOf } from './automatic-words'
import type { BankPermission, PixPermission } from '../rules/permission'

/** `code`: the bank's own code of its refusal. */
type Refused = { result: 'refused'; code: string }
export type PermissionAnswer = { result: 'found'; found: BankPermission } | Refused | Failed

/** Pix Automático of the sellers' bank, in our words. Calls leave by the deadline (epoch milliseconds), or not at all. */
export type AutomaticPix = {
  /** Makes a place for a QR code. One that nobody uses does no harm. */
  locate(account: PixAccount, deadline: number): Promise<{ result: 'located'; id: number } | Refused | Failed>
  /** The permission at a place. Null: there is none yet. */
  recAt(
    permission: PixPermission & { locationId: number },
    deadline: number,
  ): Promise<{ result: 'read'; recId: string | null } | Failed>
  /** Makes the permission at its place. The bank makes one for a place: a second is refused. */
  create(
    permission: PixPermission & { locationId: number },
    deadline: number,
  ): Promise<{ result: 'created'; recId: string } | Refused | Failed>
  find(permission: PixPermission & { recId: string }, deadline: number): Promise<PermissionAnswer>
  cancel(permission: PixPermission & { recId: string }, deadline: number): Promise<PermissionAnswer>
  /** Has a collection tried once more on a day. Undefined: the bank did not say so. */
  retry(charge: PixCharge, day: CalendarDay, deadline: number): Promise<BankCharge | undefined>
}

export function openAutomaticPix(call: Call): AutomaticPix {
  const permission = async (
    of: PixPermission & { recId: string },
    method: 'GET' | 'PATCH',
    deadline: number,
  ): Promise<PermissionAnswer> => {
    const body = method === 'PATCH' ? { body: CANCELLED } : {}
    const called = await call(of, { method, path: `/rec/${of.recId}`, ...body }, deadline)
    const read = readAs(called, permissionOf)
    return read.result === 'read' ? { result: 'found', found: read.read } : read
  }
  return {
    locate: async (account, deadline) => {
      const called = await call(account, { method: 'POST', path: '/locrec', body: {} }, deadline)
      const read = readAs(called, locationOf)
      return read.result === 'read' ? { result: 'located', id: read.read.id } : read
    },
    recAt: async (of, deadline) => {
      const read = readAs(
        await call(of, { method: 'GET', path: `/locrec/${of.locationId}` }, deadline),
        locationOf,
      )
      if (read.result === 'read') return { result: 'read', recId: read.read.idRec ?? null }
      return read.result === 'refused' ? { result: 'unknown' } : read
    },
    create: async (of, deadline) => {
      const asked = { method: 'POST', path: '/rec', body: permissionBody(of, of.locationId) } as const
      const read = readAs(await call(of, asked, deadline), permissionOf)
      return read.result === 'read' ? { result: 'created', recId: read.read.recId } : read
    },
    find: (of, deadline) => permission(of, 'GET', deadline),
    cancel: (of, deadline) => permission(of, 'PATCH', deadline),
    retry: async (charge, day, deadline) => {
      const path = `/cobr/${charge.txid}/retentativa/${day}`
      const called = await call(charge, { method: 'POST', path, body: {} }, deadline)
      const read = readAs(called, (body) => collectionOf(body, charge))
      return read.result === 'read' ? read.read : undefined
    },
  }
}

function readAs<T>(
  called: Awaited<ReturnType<Call>>,
  read: (body: unknown) => T | undefined,
): { result: 'read'; read: T } | Refused | Failed {
  if (called.result !== 'answered') return called
  const { status, body } = called
  const known = isDone(status) ? read(body) : undefined
  if (known !== undefined) return { result: 'read', read: known }
  return isRefused(status) ? { result: 'refused', code: problemOf(body) } : { result: 'unknown' }
}
