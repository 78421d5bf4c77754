import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServedService } from '@cofre/platform/grpc/server'
import { callersOf, SERVICE_NAMES, services } from '@cofre/platform/service/services'
import { generatedFiles } from '../deploy/src/generated-files'
import { partnersAllowed } from '../local/src/partners'

// The services are listed once, in packages/platform/src/service/services.ts; what else lists them is made from there.
const root = join(__dirname, '..')
const TABLE = 'packages/platform/src/service/services.ts'
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const generated = generatedFiles(root)

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n')
const listing = files.filter(
  (path) =>
    /\.(ts|js|mjs|json|ya?ml|tpl|sh|sql)$/.test(path) &&
    path !== TABLE &&
    path !== 'package-lock.json' &&
    !(path in generated) &&
    existsSync(join(root, path)),
)

/** As a row of the table, a database and a word of a setting are written. */
const NAME = SERVICE_NAMES.map((name) => name.replace('-', '[-_]?')).join('|')
/** `['vault', 'orders', 'notifier']`, `gateway|vault|orders`, `in gateway vault orders`. */
const IN_A_ROW = new RegExp(`(?<![\\w-])(${NAME})([^\\w\\n.]|\\n\\s*)+(${NAME})([^\\w\\n.]|\\n\\s*)+(${NAME})(?![\\w-])`, 'i')
/** `vault: …`, `orders: …`, `notifier: …`: keys of one object stand at one depth. */
const KEY = new RegExp(`^( *)(?:- )?['"]?(${NAME})['"]?:`, 'gim')

function listsServices(text: string): boolean {
  const depths = new Map<string, Set<string>>()
  for (const [, depth = '', name = ''] of text.matchAll(KEY)) {
    depths.set(depth, (depths.get(depth) ?? new Set()).add(name.toLowerCase()))
  }
  return IN_A_ROW.test(text) || [...depths.values()].some((names) => names.size >= 3)
}

test('no file but the table lists the services', () => {
  expect(listing.filter((path) => listsServices(read(path)))).toEqual([])
})
