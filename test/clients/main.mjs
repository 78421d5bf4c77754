// npm run test:clients: public generators make clients of /openapi.json, and each client tours the running product.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { GENERATORS } from './generators.mjs'
import { install, make, tour } from './try-out.mjs'

const ROOT = join(import.meta.dirname, '../..')
const HELP = `npm run test:clients -- [options] [NAME ...]

Starts the whole product in a folder of its own. Then public generators make clients of its /openapi.json, with the
commands that /docs/generated-clients shows. Each client is compiled and makes the same tour of the product.
Generators and libraries are pinned, and installed once, in .run/clients/.

  NAME    ${GENERATORS.map(({ name }) => name).join(', ')}
  --all   all of them; without it and without a name: ${GENERATORS.filter(({ usual }) => usual)
    .map(({ name }) => name)
    .join(', ')}
  --help

Exit code 1 when a client failed, 2 when none did but one was skipped: its tools are missing.
`

class Wrong extends Error {}

async function main() {
  const { values, positionals } = readOptions()
  if (values.help) return (process.stdout.write(HELP), 0)
  const chosen = choose(positionals, values.all)
  const { startLocal } = createRequire(import.meta.url)('../../local/dist/start-local.js')
  const runDir = mkdtempSync(join(tmpdir(), 'cofre-clients-'))
  chmodSync(runDir, 0o755) // As root, PostgreSQL runs as another user, who must be able to enter.
  // A busy machine reads requests late; the gateway would refuse them.
  const settings = { HTTP_MAX_LAG_MS: '60000' }
  const places = { root: ROOT, runDir, port: 0, sandboxPort: 0 }
  const installed = chosen.map(install)
  const system = await startLocal({ ...places, settings, unsynced: true })
  try {
    return await tourWith(chosen, installed, system.ready)
  } finally {
    await system.stop()
    rmSync(runDir, { recursive: true, force: true })
  }
}

function readOptions() {
  try {
    const options = { all: { type: 'boolean' }, help: { type: 'boolean' } }
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new Wrong(error.message)
  }
}

function choose(names, all) {
  const unknown = names.filter((name) => !GENERATORS.some((each) => each.name === name))
  if (unknown.length > 0) throw new Wrong(`There is no generator ${unknown.join(', ')}; see --help`)
  if (names.length > 0) return GENERATORS.filter(({ name }) => names.includes(name))
  return GENERATORS.filter(({ usual }) => all || usual)
}

/** Resolves with the exit code. */
async function tourWith(generators, installed, ready) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const made = generators.map(async (each, at) => (await installed[at]) ?? make(each, ready))
  for (const [at, generator] of generators.entries()) {
    const { outcome, words } = (await made[at]) ?? (await tour(generator, ready))
    counts[outcome] += 1
    process.stdout.write(`${generator.name} ${generator.version}: ${words}\n`)
  }
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  return counts.failed > 0 ? 1 : counts.skipped > 0 ? 2 : 0
}

main().then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error instanceof Wrong ? error.message : error.stack}\n`)
    process.exit(1)
  },
)
