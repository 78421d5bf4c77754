import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { missingOf } from './generators.mjs'
import { startRecorder } from './recorder.mjs'
import { findMissingCalls } from './stops.mjs'

const CACHE = join(import.meta.dirname, '../../.run/clients')
/** What earlier runs generated and compiled. */
const MADE = ['cofre', 'cofre.ts', 'client', 'built', 'tour']
const STEP_TIMEOUT_MS = 10 * 60_000
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

const failedAt = (step, { output }) => ({ outcome: 'failed', words: `FAILED when ${step}\n${output}` })

const skipped = (why) => ({ outcome: 'skipped', words: `skipped, ${why}` })

/**
 * Copies the files of the generator, and installs its tools unless these very ones are installed. Resolves with the
 * reason when they can't be had.
 */
export async function install(generator) {
  const { folder: name, install: command } = generator
  const missing = missingOf(generator)
  if (missing.length > 0) return skipped(`there is no ${missing.join(' and no ')}`)
  const folder = join(CACHE, name)
  const from = join(import.meta.dirname, name)
  const wanted = createHash('sha256').update(command)
  for (const file of readdirSync(from).filter((each) => !/^tour\./i.test(each)))
    wanted.update(readFileSync(join(from, file)))
  const [stamp, digest] = [join(folder, '.installed'), wanted.digest('hex')]
  const same = existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
  if (!same) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(from, folder, { recursive: true })
  if (same) return undefined
  const { code, output } = await run(command, folder)
  if (code !== 0) return skipped(`its tools can't be installed\n${output}`)
  writeFileSync(stamp, digest)
  return undefined
}

/** Generates and compiles. Resolves with what failed. */
export async function make(generator, ready) {
  const folder = join(CACHE, generator.folder)
  for (const made of MADE) rmSync(join(folder, made), { recursive: true, force: true })
  const commands = await commandsOf(generator, ready)
  if (!commands) return failedAt('generating', { output: 'The page shows no such command.' })
  const generated = await run(commands, folder)
  if (generated.code !== 0) return failedAt('generating', generated)
  const compiled = await run(generator.compile, folder)
  return compiled.code === 0 ? undefined : failedAt('compiling', compiled)
}

/** The commands that the manual shows, for the version that is installed. */
async function commandsOf({ sample, version }, { baseUrl }) {
  const page = await (await fetch(`${baseUrl}/docs/generated-clients`)).text()
  const [, html] = new RegExp(`data-sample="${sample}"><code>([^]*?)</code>`).exec(page) ?? []
  if (!html?.includes(version)) return undefined
  return html.replace(/&(lt|gt|quot|amp);/g, (entity) => ENTITIES[entity])
}

/** Tours the product. No other tour may run beside it: an endpoint hears of all charges. */
export async function tour({ name, folder, tour: command }, { baseUrl, token, sellerId, sandboxUrl }) {
  const recorder = await startRecorder(baseUrl)
  const about = name.replaceAll(/[^\w-]/g, '')
  const environment = {
    COFRE_URL: recorder.url,
    COFRE_TOKEN: token,
    COFRE_SELLER: String(sellerId),
    COFRE_TOUR: about,
    HOOKS_URL: `${sandboxUrl}/inbox/${about}`,
  }
  const toured = await run(command, join(CACHE, folder), environment)
  await recorder.stop()
  const { calls } = recorder
  const last = calls.at(-1)
  if (toured.code !== 0) {
    const call = last
      ? `last call: ${last.method} ${last.path} was answered ${last.status} ${last.text}`
      : 'no call'
    return failedAt('touring', { output: `${toured.output}\n${call}` })
  }
  const missing = findMissingCalls(calls)
  if (missing.length > 0)
    return failedAt('touring', { output: `It never made these calls: ${missing.join(', ')}` })
  return { outcome: 'passed', words: `generated, compiled, toured (${calls.length} calls)` }
}

/** Runs a command in a folder, with the programs installed there. Resolves with its exit code and output. */
function run(command, folder, environment = {}) {
  const bins = ['venv/bin', 'node_modules/.bin'].map((bin) => join(folder, bin))
  const env = { ...process.env, ...environment, PATH: [...bins, process.env.PATH].join(delimiter) }
  // npm would install into the repository, from where it was started.
  delete env.npm_config_local_prefix
  const options = { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: STEP_TIMEOUT_MS }
  const child = spawn('bash', ['-ec', command], options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output: output.trim() }))
  })
}
