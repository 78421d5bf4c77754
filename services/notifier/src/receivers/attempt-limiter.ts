/** The seller and the host of an attempt. */
export type Asker = { sellerId: number; host: string }

/** `hasFirst`: a first attempt is due there; true by default. */
type Asking = Asker & { hasFirst?: boolean }

/** `timed out early`: the attempt had less time than usual. `not made`: nothing was sent. */
export type Ending =
  'answered promptly' | 'answered' | 'timed out' | 'timed out early' | 'failed' | 'not made'

export type Limiter = ReturnType<typeof openLimiter>

/** Slots of an unknown receiver, and the most that a receiver grows to. */
const SLOTS_FIRST = 8
const SLOTS_MAX = 64
/** How long a receiver gets one short attempt at a time, after it let a whole attempt time out. */
const DISTRUSTED_MS = 60_000
const HOSTS_MAX = 20_000

type Offered = { all: number; retries: number; sellers: Map<number, number>; hosts: Map<string, number> }
type Host = { running: number; slots: number; distrustedUntil: number; isPrompt: boolean }

/**
 * Counts the attempts that run at once in a process, `size` at most, and decides who may begin another. A seller may
 * fill half of the slots that the others leave free, and so may all retries together. The next asker finds a slot, however
 * many wait elsewhere. A receiver may fill half of the slots that its seller's others leave free. Its slots grow while
 * it answers and uses them all, and shrink when it lets attempts time out.
 */
export function openLimiter(size: number, now: () => number = Date.now) {
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
  /** Counts the offers to earlier askers of the same look as if they ran. */
  const offerTo = (asker: Asking, offered: Offered) => {
    const free = size - running - offered.all
    const host = hostOf(asker)
    const ofHost = host.running + (offered.hosts.get(keyOf(asker)) ?? 0)
    const ofSeller = (sellers.get(asker.sellerId) ?? 0) + (offered.sellers.get(asker.sellerId) ?? 0)
    const most = mostOf(asker, free, ofSeller, ofHost)
    const again = Math.min(most, Math.max(0, share(free, retries + offered.retries)))
    // Places that this receiver can't use stay free for the next asker.
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
    /** Whether a receiver let an attempt time out lately: its attempts are short. */
    isDistrusted,
    /** Whether a receiver answered its last attempt at once. */
    isPrompt: (asker: Asker) => hostOf(asker).isPrompt,
    /** Whether fewer than half of a receiver's slots are in use. */
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
    /** Frees the receiver's slot; the place in the process is kept until `end`. */
    leave(asker: Asker, outcome: Ending): void {
      const host = hostOf(asker)
      keep(asker, { ...afterwards(host, outcome, now()), running: host.running - 1 })
    },
    /** Frees the place in the process, once the verdict is written. */
    end(asker: Asker, isRetry: boolean): void {
      running -= 1
      if (isRetry) retries -= 1
      const left = (sellers.get(asker.sellerId) ?? 1) - 1
      if (left > 0) sellers.set(asker.sellerId, left)
      else sellers.delete(asker.sellerId)
    },
  }
}

/** How many more a party may begin: up to half of the slots that others leave, and one if it has none running. */
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

/** Forgets the host that was used the longest ago and is not in use. */
function forgetOne(hosts: Map<string, Host>): void {
  for (const [key, { running }] of hosts) {
    if (running === 0) return void hosts.delete(key)
  }
}
