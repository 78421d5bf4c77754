import { isIP } from 'node:net'
import type { RequestHandler } from 'express'

/**
 * Takes X-Forwarded-For only where each entry that the trusted proxies wrote is an address. Otherwise it removes the
 * header, and the caller has the address of the connection. Strangers are counted and logged by this address.
 */
export function takeAddresses(trustedProxies: number): RequestHandler {
  return (req, _res, next) => {
    const header = req.headers['x-forwarded-for']
    if (header !== undefined) {
      const addresses = trustedProxies === 0 ? [] : writtenBy(trustedProxies, String(header))
      if (addresses.length === 0 || addresses.includes('')) delete req.headers['x-forwarded-for']
      else req.headers['x-forwarded-for'] = addresses.join(', ')
    }
    next()
  }
}

/** Returns the last entries, without the ports that some proxies add. An entry that is no address becomes empty. */
function writtenBy(proxies: number, header: string): string[] {
  return header
    .split(',')
    .slice(-proxies)
    .map((entry) => {
      const [, ofIpv6, ofIpv4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(entry.trim()) ?? []
      const address = ofIpv6 ?? ofIpv4 ?? entry.trim()
      return isIP(address) === 0 ? '' : address
    })
}
