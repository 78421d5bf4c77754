import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Returns the requests allowed to each partner, for each of our services: the files of `partners/`. */
export function partnersAllowed(root: string): Record<string, object> {
  const folder = join(root, 'partners')
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
  return Object.fromEntries(
    names.map((name) => [name, JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as object]),
  )
}

/** Returns the vault's PARTNERS_FILE: the partners that have an address here, all with one authority. */
export function partnersFor(
  root: string,
  urls: Readonly<Record<string, string>>,
  caFile: string,
): Record<string, object> {
  const there = Object.entries(partnersAllowed(root)).filter(([name]) => urls[name] !== undefined)
  return Object.fromEntries(there.map(([name, allowed]) => [name, { url: urls[name], caFile, ...allowed }]))
}
