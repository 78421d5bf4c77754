import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'

/** Returns the addresses of a host name; an address is its own. Throws when there is none or no answer in time. */
export type ResolveName = (host: string) => Promise<LookupAddress[]>

const QUERY = { timeout: 2_000, tries: 3, maxTimeout: 4_000 }
/** As long as undici keeps a name. A receiver that moves is soon found; a busy one is not looked up each time. */
const KEPT_MS = 10_000
const NAMES_MAX = 10_000
// No such name, no such record, no name server on this machine.
const NOT_THERE = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']

/**
 * Asks the name servers over the network. The system's own lookup holds a thread while it waits, and uses at most
 * half of the four threads. Two names whose servers do not answer would hold up every other. So the system is asked
 * only for names that the servers do not know, those of the hosts file. Answers are kept for a moment, failures are
 * not. A name is asked for once at a time. `servers`: addresses in place of the system's, `address:port`.
 */
export function createResolveName(servers?: readonly string[]): ResolveName {
  const resolver = new Resolver(QUERY)
  if (servers) resolver.setServers(servers)
  const names = new LRUCache<string, LookupAddress[]>({
    max: NAMES_MAX,
    ttl: KEPT_MS,
    fetchMethod: (host) => ask(resolver, host),
  })
  return async (host) => {
    const literal = isIP(host)
    return literal === 0 ? ((await names.fetch(host)) ?? []) : [{ address: host, family: literal }]
  }
}

async function ask(resolver: Resolver, host: string): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([
    resolver.resolve4(host).then((found) => found.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(host).then((found) => found.map((address) => ({ address, family: 6 }))),
  ])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  for (const answer of answers) {
    if (answer.status === 'rejected' && !NOT_THERE.includes(codeOf(answer.reason))) throw answer.reason
  }
  return lookup(host, { all: true })
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code)
}
