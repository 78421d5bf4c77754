import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { NAMED } from './named.mjs'
import { withPostgres } from './postgres.mjs'

const JEST = resolve('node_modules/jest/bin/jest.js')
const LONGEST_MS = 900_000

/** Applies each mutation to a copy of the tree, one at a time, and runs its tests. 0: all were caught. */
export async function runNamed(texts) {
  const isWanted = (one) => texts.length === 0 || texts.some((text) => nameOf(one).includes(text))
  const mutations = NAMED.filter(isWanted)
  mkdirSync('.run', { recursive: true })
  const copy = mkdtempSync(resolve('.run/named-'))
  try {
    copyTree(copy)
    return await withPostgres(async (url) => {
      const verdicts = []
      for (const one of mutations) verdicts.push(await verdictOf(one, copy, url))
      return verdicts.every((verdict) => verdict === 'caught') ? 0 : 1
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function nameOf({ what, file, tests }) {
  return `${what} (${file}, ${tests.join(', ')})`
}

/** Copies the files that Git has or would add, and the code generated from the contracts. Packages are linked. */
function copyTree(copy) {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  for (const file of files.split('\n').filter((each) => each && existsSync(each))) {
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    cpSync(file, join(copy, file))
  }
  cpSync('packages/proto/src', join(copy, 'packages/proto/src'), { recursive: true })
  const modules = execFileSync(
    'find',
    ['.', '-maxdepth', '3', '-name', 'node_modules', '-not', '-path', './.run/*', '-prune'],
    {
      encoding: 'utf8',
    },
  )
  for (const folder of modules.split('\n').filter(Boolean)) symlinkSync(resolve(folder), join(copy, folder))
  writeFileSync(
    join(copy, 'jest.mutated.js'),
    "module.exports = { ...require('./jest.config.js'), globalSetup: undefined, globalTeardown: undefined }\n",
  )
}

async function verdictOf(mutation, copy, url) {
  const { file, old, now, tests, only = '', seconds } = mutation
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  const parts = text.split(old)
  let verdict = 'not applied: the old text does not stand there once'
  if (parts.length === 2) {
    writeFileSync(path, parts.join(now))
    const args = [
      JEST,
      '-c',
      'jest.mutated.js',
      '--silent',
      '--bail',
      ...(only ? ['-t', only] : []),
      '--runTestsByPath',
      ...tests,
    ]
    const env = { ...process.env, TEST_DATABASE_URL: url }
    const ran = await run(args, { cwd: copy, env, timeout: seconds ? seconds * 1_000 : LONGEST_MS })
    verdict = seconds && ran.isLate ? 'caught' : judged(ran)
    writeFileSync(path, text)
  }
  process.stdout.write(`${verdict}: ${nameOf(mutation)}\n`)
  return verdict
}

/** Runs a command and reads PostgreSQL's log meanwhile: unread, it would block PostgreSQL, and the tests with it. */
function run(args, options) {
  return new Promise((told) => {
    const all = { ...options, encoding: 'utf8', maxBuffer: Infinity }
    execFile(process.execPath, ['--no-warnings', ...args], all, (error, _stdout, stderr) =>
      told({ status: error ? error.code : 0, stderr, isLate: error?.killed === true }),
    )
  })
}

/** A failed test caught the mutation. A file that doesn't load, or a name without a test, gives no verdict. */
function judged({ status, stderr }) {
  const counts = /^Tests: .*$/m.exec(stderr)?.[0] ?? ''
  if (/ failed/.test(counts)) return 'caught'
  if (status === 0 && / passed/.test(counts)) return 'survived'
  return `no verdict (${stderr.trim().split('\n').slice(0, 12).join(' / ')})`
}
