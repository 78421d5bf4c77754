/** Whose attempt it is. */
export type Asker = { sellerId: number; host: string }

/** `hasFirst`: of what is due there, something is not a retry; true unless told otherwise. */
type Asking = Asker & { hasFirst?: boolean }

/** `timed out early`: it had not all the time that an attempt may take. `not made`: nothing was sent. */
export type Ending =
  'answered promptly' | 'answered' | 'timed out' | 'timed out early' | 'failed' | 'not made'

export type Room = ReturnType<typeof openRoom>

/** Slots of a receiver that nobody knows yet, and the most that one grows to. */
const SLOTS_FIRST = 8
const SLOTS_MAX = 64
/** For so long after it let a whole attempt time out, a receiver gets one attempt at a time, and a short one. */
const DISTRUSTED_MS = 60_000
const HOSTS_MAX = 20_000

type Offered = { all: number; retries: number; sellers: Map<number, number>; hosts: Map<string, number> }
type Host = { running: number; slots: number; distrustedUntil: number; isPrompt: boolean }

/**
 * The attempts that run at once in a process, `size` at most, and who may begin another. A seller may fill half of what
 * the others leave free, and so may all retries together: whoever comes next finds room, however many wait elsewhere. A
 * receiver may fill half of what its seller's others leave free, and its slots grow while it answers and uses them all, and
 * shrink when it lets attempts time out.
 */
export function openRoom(size: number, now: () => number = Date.now) {
  const sellers = new Map<number, number>()
  const hosts = new Map<string, Host>()
  let running = 0
  let retries = 0
  const keyOf = ({ sellerId, host }: Asker) => `${sellerId} ${host}`
  const hostOf = (asker: Asker): Host =>
    hosts.get(keyOf(asker)) ?? { running: 0, slots: SLOTS_FIRST, distrustedUntil: 0, isPrompt: false }
  const keep = (asker: Asker, host: Host) => {
    const key = keyOf(asker)
    hosts.delete(key)
    const isKnown =
      host.running > 0 || host.slots !== SLOTS_FIRST || host.distrustedUntil > 0 || host.isPrompt
    if (isKnown) hosts.set(key, host)
    if (hosts.size > HOSTS_MAX) forgetOne(hosts)
  }
  const isDistrusted = (asker: Asker) => hostOf(asker).distrustedUntil > now()
  const mostOf = (asker: Asker, free: number, ofSeller: number, ofHost: number) => {
    const slots = (isDistrusted(asker) ? 1 : hostOf(asker).slots) - ofHost
    return Math.max(0, Math.min(slots, share(share(free, ofSeller), ofHost)))
  }
  /** Counts what earlier askers of the same look were offered as if it ran. */
  const offerTo = (asker: Asking, offered: Offered) => {
    const free = size - running - offered.all
    const host = hostOf(asker)
    const ofHost = host.running + (offered.hosts.get(keyOf(asker)) ?? 0)
    const ofSeller = (sellers.get(asker.sellerId) ?? 0) + (offered.sellers.get(asker.sellerId) ?? 0)
    const most = mostOf(asker, free, ofSeller, ofHost)
    const again = Math.min(most, Math.max(0, share(free, retries + offered.retries)))
    // Places that this receiver can't use would be missing for the next one that asks.
    const attempts = (asker.hasFirst ?? true) ? most : again
    offered.all += attempts
    offered.retries += again
    offered.sellers.set(asker.sellerId, (offered.sellers.get(asker.sellerId) ?? 0) + attempts)
    offered.hosts.set(keyOf(asker), (offered.hosts.get(keyOf(asker)) ?? 0) + attempts)
    return { attempts, retries: again }
  }
  return {
    /** For each, in their order: how many attempts may begin now, and how many of them may be retries. */
    offer(askers: readonly Asking[]): { attempts: number; retries: number }[] {
      const offered: Offered = { all: 0, retries: 0, sellers: new Map(), hosts: new Map() }
      return askers.map((asker) => offerTo(asker, offered))
    },
    /** Whether a first attempt may begin now. */
    mayBegin: (asker: Asker) =>
      mostOf(asker, size - running, sellers.get(asker.sellerId) ?? 0, hostOf(asker).running) > 0,
    isFull: () => running >= size,
    /** Whether a receiver that let an attempt time out lately is asked: its attempts are short. */
    isDistrusted,
    /** Whether a receiver answered its last attempt at once. */
    isPrompt: (asker: Asker) => hostOf(asker).isPrompt,
    /** Whether at most half of the slots of a receiver are in use. */
    isHalfFree: (asker: Asker) => {
      const { running: ofHost, slots } = hostOf(asker)
      return ofHost < slots / 2
    },
    begin(asker: Asker, isRetry: boolean): void {
      running += 1
      if (isRetry) retries += 1
      sellers.set(asker.sellerId, (sellers.get(asker.sellerId) ?? 0) + 1)
      const host = hostOf(asker)
      keep(asker, { ...host, running: host.running + 1 })
    },
    /** The receiver is done with it; its place in the process is kept until `end`. */
    leave(asker: Asker, outcome: Ending): void {
      const host = hostOf(asker)
      keep(asker, { ...afterwards(host, outcome, now()), running: host.running - 1 })
    },
    /** What came of it is written. */
    end(asker: Asker, isRetry: boolean): void {
      running -= 1
      if (isRetry) retries -= 1
      const left = (sellers.get(asker.sellerId) ?? 1) - 1
      if (left > 0) sellers.set(asker.sellerId, left)
      else sellers.delete(asker.sellerId)
    },
  }
}

/** Of one party with so many running: half of what would be left free; one at least while anything is. */
function share(free: number, running: number): number {
  return Math.max(running === 0 ? Math.min(1, free) : 0, Math.floor((free - running) / 2))
}

function afterwards(host: Host, outcome: Ending, at: number): Host {
  if (outcome === 'not made') return host
  const isPrompt = outcome === 'answered promptly'
  if (outcome === 'timed out') {
    const slots = Math.max(1, Math.floor(host.slots / 2))
    return { ...host, slots, distrustedUntil: at + DISTRUSTED_MS, isPrompt }
  }
  if (outcome !== 'answered' && !isPrompt) return { ...host, isPrompt }
  const grown = host.running >= host.slots ? host.slots + 1 : host.slots
  return { ...host, slots: Math.min(SLOTS_MAX, grown), distrustedUntil: 0, isPrompt }
}

/** The one that was used the longest ago, unless it is in use. */
function forgetOne(hosts: Map<string, Host>): void {
  for (const [key, { running }] of hosts) {
    if (running === 0) return void hosts.delete(key)
  }
}
