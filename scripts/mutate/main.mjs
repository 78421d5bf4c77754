import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { seedLine } from '../../packages/testing/dist/random.js'
import { changedLines } from './changed.mjs'
import { runNamed } from './named-run.mjs'
import { withPostgres } from './postgres.mjs'
import { expand, RULES } from './rules.mjs'
import { told } from './score.mjs'

const REPORT = '.run/mutated.json'
/** The percentage of a file's mutations, other than equivalent ones, that tests must notice. */
const ENOUGH = 90

const HELP = `Mutates the rule files, runs the tests that cover them, and lists the mutations that no test noticed.
  npm run test:mutate -- [files]          all rule files, or some
  npm run test:mutate -- --since main     the lines of rule files that changed since a commit
  npm run test:mutate -- --named [text]   the list in named.mjs, or the lines of it that contain a text
  --minutes n                             stops after so many minutes (default 240), with exit code 3
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    since: { type: 'string' },
    minutes: { type: 'string', default: '240' },
    named: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else {
  process.stdout.write(seedLine())
  process.exitCode = values.named ? await runNamed(positionals) : await runStryker()
}

async function runStryker() {
  const rules = RULES.map(({ files, tests, gated }) => ({
    gated,
    files: files.flatMap(expand),
    tests: tests.flatMap(expand),
  }))
  const known = rules.flatMap(({ files }) => files)
  const stray = positionals.filter((file) => !known.includes(file))
  if (stray.length > 0) return fail(`not in scripts/mutate/rules.mjs: ${stray.join(', ')}`)
  const files = positionals.length > 0 ? positionals : known
  const places = values.since === undefined ? files : changedLines(values.since, files)
  if (places.length === 0) {
    process.stdout.write('no rule file has changed\n')
    return 0
  }
  const fileOf = (place) => place.replace(/:\d+-\d+$/, '')
  const wanted = new Set(places.map(fileOf))
  const tests = rules
    .filter((rule) => rule.files.some((file) => wanted.has(file)))
    .flatMap((rule) => rule.tests)
  rmSync(REPORT, { force: true })
  const isOver = await withPostgres((url) => stryker(places, [...new Set(tests)], url))
  if (isOver) {
    process.stdout.write(`not finished within ${values.minutes} minutes: nothing is said of these files\n`)
    return 3
  }
  if (!existsSync(REPORT)) return fail('Stryker made no report')
  const gated = rules.filter((rule) => rule.gated).flatMap((rule) => rule.files)
  return told(JSON.parse(readFileSync(REPORT, 'utf8')), ENOUGH, gated) ? 0 : 1
}

/** Runs Stryker. True when its time ran out. */
function stryker(places, tests, url) {
  const args = [
    'node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    'scripts/mutate/stryker.config.mjs',
  ]
  const patterns = JSON.stringify(tests.map((test) => `**/${test}`))
  const env = { ...process.env, TEST_DATABASE_URL: url, MUTATED_TESTS: patterns }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args, '--mutate', places.join(',')], {
      env,
      stdio: 'inherit',
      detached: true,
    })
    let isOver = false
    const end = () => {
      isOver = true
      // Stryker's workers belong to the same group.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(end, Number(values.minutes) * 60_000)
    child.on('error', reject)
    child.on('exit', () => {
      clearTimeout(timer)
      rmSync('.run/mutated', { recursive: true, force: true })
      resolve(isOver)
    })
  })
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  return 1
}
