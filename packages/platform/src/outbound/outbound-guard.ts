import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { parseUrl } from './parse-url'

type Network = ReturnType<typeof ipaddr.parseCIDR>

/** The targets that a deployment allows beyond the public internet: networks, and host names with any address. */
export type OutboundAllowance = { networks: readonly Network[]; names: ReadonlySet<string> }

/** Comma list of CIDRs, addresses and host names (`127.0.0.0/8,::1,inbox.test`) that outbound calls may also reach. */
export const outboundSetting = z
  .string()
  .default('')
  .transform((text, context): OutboundAllowance => {
    const entries = text.split(',').map((entry) => entry.trim().toLowerCase())
    const named = entries.filter((entry) => entry !== '')
    for (const entry of named) {
      const valid = isNetwork(entry) ? isCidr(entry) : HOST_NAME.test(entry)
      if (!valid) {
        context.addIssue({ code: 'custom', message: 'must list CIDRs, addresses and host names' })
        return z.NEVER
      }
    }
    return {
      networks: named.filter(isNetwork).map(parseNetwork),
      names: new Set(named.filter((entry) => !isNetwork(entry))),
    }
  })

const HOST_NAME = /^(?!-)[a-z0-9-_]{1,63}(\.[a-z0-9-_]{1,63})*$/
// Names that by convention or by RFC 6761, 6762, 8375 and 9476 never leave a machine, a house or a company.
const PRIVATE_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa|svc)$/
// Its range is public, but Azure serves a machine its own metadata at this address.
const PLATFORM_ADDRESSES = new Set(['168.63.129.16'])
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * Why a seller's URL may not be called, judged by its text alone. `not_public`: its host is an address that is not
 * public, in any spelling, or a name outside the public internet. `mayConnect` judges the addresses of a public name
 * at each sending.
 */
export function urlFault(url: string, allowed: OutboundAllowance): 'malformed' | 'not_public' | undefined {
  // URL would silently drop a blank or a line break.
  const parsed = /[\s"<>]/.test(url) ? undefined : parseUrl(url)
  if (parsed === undefined) return 'malformed'
  const { protocol, username, password, hostname } = parsed
  if (protocol !== 'https:' && protocol !== 'http:') return 'malformed'
  if (username !== '' || password !== '') return 'malformed'
  const host = plainHost(hostname)
  if (allowed.names.has(host)) return undefined
  if (isIP(host) !== 0) return mayConnect(host, host, allowed) ? undefined : 'not_public'
  // A name without a dot belongs to the deployment's own network: a service, a container.
  if (!host.includes('.') || PRIVATE_NAME.test(host)) return 'not_public'
  return HOST_NAME.test(host) ? undefined : 'malformed'
}

/** The host of a URL as DNS and the allowance know it: no brackets, no final dot, lower case. */
export function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** True when a connection for `host` may be made to `address`, one of the addresses that it resolved to. */
export function mayConnect(host: string, address: string, allowed: OutboundAllowance): boolean {
  if (isIP(address) === 0) return false
  if (allowed.names.has(host) || isPublicAddress(address)) return true
  const target = parseAddress(address)
  return allowed.networks.some(
    ([network, bits]) => network.kind() === target.kind() && target.match(network, bits),
  )
}

/**
 * True when an address is of the public internet: not loopback, private, link-local, shared (CGNAT), multicast,
 * reserved, documentation or a cloud's metadata, nor one of those inside an IPv6 form.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = parseAddress(address)
  if (parsed.kind() === 'ipv4')
    return parsed.range() === 'unicast' && !PLATFORM_ADDRESSES.has(parsed.toString())
  // Behind DNS64 every IPv4 host of the internet has this form, so the address inside decides.
  if (parsed.match(NAT64)) return isPublicAddress(parsed.toByteArray().slice(12).join('.'))
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast'
}

/** Parses an address. `::ffff:1.2.3.4` is 1.2.3.4; any other IPv6 spelling first becomes the canonical one. */
function parseAddress(address: string): ReturnType<typeof ipaddr.process> {
  const [plain = ''] = address.split('%')
  return ipaddr.process(isIP(plain) === 6 ? plainHost(new URL(`http://[${plain}]`).hostname) : plain)
}

function isNetwork(entry: string): boolean {
  return entry.includes('/') || isIP(entry) !== 0
}

function isCidr(entry: string): boolean {
  return isIP(entry) !== 0 || (isIP(entry.split('/')[0] ?? '') !== 0 && ipaddr.isValidCIDR(entry))
}

function parseNetwork(entry: string): Network {
  return ipaddr.parseCIDR(entry.includes('/') ? entry : `${entry}/${isIP(entry) === 4 ? 32 : 128}`)
}
