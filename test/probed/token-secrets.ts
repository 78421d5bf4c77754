import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFolder } from '../../local/src/run-folder'
import { tokenNumber } from '../../sandbox/src/token-service/token-number'
import type { NetworkToken } from '../../sandbox/src/token-service/token'
import type { Canary } from './canaries'
import type { Place } from './places'

/** The numbers that the network issued: the sandbox stores only the parts from which they are made. */
export function networkNumbers(runDir: string): Canary[] {
  return journalOf<NetworkToken>(runDir, 'token-service-tokens').map(({ network, sequence }) => {
    return { number: tokenNumber(network, sequence), cvv: 'none', document: 'none' }
  })
}

/** The hashes of the cryptograms that the network issued. */
export function cryptogramHashes(runDir: string): Set<string> {
  return new Set(journalOf<{ hash: string }>(runDir, 'token-service-cryptograms').map(({ hash }) => hash))
}

/** The places that hold a cryptogram, as written or in hexadecimal. */
export function cryptogramsIn(places: readonly Place[], hashes: ReadonlySet<string>): string[] {
  return places.flatMap(({ name, text }) => {
    const hidden = [...text.matchAll(/(?:[0-9a-f]{2}){28,}/gi)].map(([hex]) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    )
    const found = [text, ...hidden].some((each) =>
      [...each.matchAll(/(?=([A-Za-z0-9+/]{27}=))/g)].some(([, value = '']) => hashes.has(hashOf(value))),
    )
    return found ? [name] : []
  })
}

function hashOf(cryptogram: string): string {
  return createHash('sha256').update(cryptogram).digest('hex')
}

function journalOf<Entry>(runDir: string, name: string): Entry[] {
  const text = readFileSync(join(runFolder(runDir).sandbox, `${name}.jsonl`), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
}
