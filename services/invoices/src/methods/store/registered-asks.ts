import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { Ask, Asks } from '../ask'
import type { AskMethod } from '../methods'
import { closedAtBank, paid, withdraw, type RegisteredAsk } from '../rules/registered-ask'
import type { AskStore } from './ask-store'

/** `isKnown`: whether the bank's ask of that number is known to be this one: only then it takes money. */
type Kind<A extends RegisteredAsk> = {
  method: AskMethod
  store: Pick<AskStore<A>, 'find' | 'lock' | 'lockAllOpen' | 'save'>
  findSeller: Asks['findSeller']
  isKnown(ask: A): boolean
  isAgreed(ask: A): boolean
  dueOn(ask: A, day: CalendarDay): number
}

/** The asks of a method that a bank registers. */
export function registeredAsks<A extends RegisteredAsk>(kind: Kind<A>): Asks {
  const { store, findSeller, isKnown } = kind
  return {
    find: async (db, { account, askNumber }) => {
      const ask = await store.find(db, askNumber)
      // Money in another account, or for an ask of the bank that is not known to be ours, is other money.
      return ask?.account === account && isKnown(ask) ? askOf(kind, ask) : undefined
    },
    findSeller,
    lock: async (tx, id) => {
      const ask = await store.lock(tx, id)
      return {
        ...askOf(kind, ask),
        // An ask that brought a part may bring another: the bank has reported both.
        savePaid: async (at) => {
          if (ask.status !== 'PAID') await store.save(tx, paid(ask, at))
        },
        saveClosed: async (at) => {
          if (isOpen(ask)) await store.save(tx, closedAtBank(ask, at))
        },
      }
    },
    hasOpen: async (tx, invoiceId) => (await store.lockAllOpen(tx, invoiceId)).length > 0,
    withdrawOpen: async (tx, invoiceId, at) => {
      for (const open of await store.lockAllOpen(tx, invoiceId)) await store.save(tx, withdraw(open, at))
    },
  }
}

function askOf<A extends RegisteredAsk>({ method, isAgreed, dueOn }: Kind<A>, ask: A): Ask {
  const { id, sellerId, invoiceId, status, amount, payableUntil } = ask
  const isCurrent = status === 'REGISTERED' || status === 'PENDING'
  const known = { id, method, sellerId, invoiceId, amount, payableUntil, isCurrent }
  return { ...known, isAgreed: isAgreed(ask), dueOn: (day) => dueOn(ask, day) }
}

/** An ask whose request still waits for its answer stays as it is: the answer comes first. */
function isOpen({ status, operationId }: RegisteredAsk): boolean {
  return status === 'REGISTERED' || (status === 'PENDING' && operationId === null)
}
