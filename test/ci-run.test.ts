import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const ROOT = join(__dirname, '..')
const OF_THE_SYSTEM = [
  'bash',
  'basename',
  'cat',
  'dirname',
  'env',
  'grep',
  'mkdir',
  'nice',
  'rm',
  'sh',
  'sleep',
  'timeout',
]
const PROGRAMS = ['npm', 'npx', 'node', 'git', 'java', 'python3']
const DEBIANS = ['chromium', 'psql', 'mvn']
/** Plays a program: it notes how it was called, and ends as the first line of `answers` that its call begins with says. */
const PROGRAM = `#!/bin/sh
line="$(basename "$0") $*"
echo "$line\${ENGINES_NOT_HAD:+ without$ENGINES_NOT_HAD}" >>calls
while read -r code start; do
  case $line in "$start"*) exit "$code" ;; esac
done <answers
echo '"purl"' >.run/sbom.json`

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(process.env['TEST_RUN_DIR'] ?? '', 'ci-run-'))
  for (const folder of ['.ci', '.run', 'bin', 'k8s/check']) mkdirSync(join(dir, folder), { recursive: true })
  copyFileSync(join(ROOT, '.ci/run'), join(dir, '.ci/run'))
  for (const name of OF_THE_SYSTEM) symlinkSync(findProgram(name), join(dir, 'bin', name))
  for (const name of [...PROGRAMS, 'apt-get']) play(`bin/${name}`)
  for (const name of ['tools.sh', 'run.sh']) play(`k8s/check/${name}`)
})
afterEach(() => rmSync(dir, { recursive: true }))

function findProgram(name: string): string {
  const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
  return stdout.trim()
}

function play(path: string): void {
  writeFileSync(join(dir, path), PROGRAM)
  chmodSync(join(dir, path), 0o755)
}

/** Runs .ci/run where programs end as these lines say, each an exit code and the start of a call. */
function runWith(...answers: string[]) {
  writeFileSync(join(dir, 'answers'), answers.map((line) => `${line}\n`).join(''))
  writeFileSync(join(dir, 'calls'), '')
  const env = { PATH: join(dir, 'bin'), FETCH_PAUSE: '0' }
  const { status, stdout } = spawnSync('bash', ['.ci/run'], { cwd: dir, encoding: 'utf8', env })
  const calls = readFileSync(join(dir, 'calls'), 'utf8').split('\n')
  return { code: status, end: stdout.slice(stdout.indexOf('== minutes by step')), calls }
}

function runWithAll(...answers: string[]) {
  for (const name of DEBIANS) play(`bin/${name}`)
  return runWith(...answers)
}

test('a run in which all is good ends with the minutes of each step, and names nothing else', () => {
  const { code, end, calls } = runWithAll()
  expect([code, end]).toEqual([
    0,
    expect.stringMatching(/^== minutes by step, 0:\d\d in all\n( +0:\d\d {2}.+\n){12}$/),
  ])
  expect(calls.filter((call) => call.startsWith('apt-get'))).toEqual([])
})

test('a lock file that npm does not accept ends the run', () => {
  const { code, end, calls } = runWithAll('1 npm ci')
  expect([code, end]).toEqual([
    1,
    expect.stringContaining('== FAULTS\n  npm ci accepts the lock file (exit code 1)\n'),
  ])
  expect(calls.filter((call) => call !== '')).toHaveLength(1)
})

test('a fault of lint ends the run before the tests', () => {
  const { code, end, calls } = runWithAll('1 npm run lint')
  expect([code, end]).toEqual([1, expect.stringContaining('types of the tests (exit code 1)')])
  expect(calls.join('\n')).not.toContain('npm run test')
})

test('tests that are red do not keep the proofs and the chart from running, and every fault is named', () => {
  const { code, end, calls } = runWithAll('1 node scripts/again.mjs --result .run/test.json', '1 run.sh')
  expect(code).toBe(1)
  expect(end).toMatch(
    /== FAULTS\n {2}the README's own test command \(exit code 1\)\n {2}the chart.* \(exit code 1\)\n$/,
  )
  expect(calls.join('\n')).toContain('npm run test:proofs')
})

test('Debian that gives nothing is asked three times; what needs its programs is skipped, named, and no fault', () => {
  const { code, end, calls } = runWith('100 apt-get')
  expect(code).toBe(0)
  expect(end).toMatch(
    /== NOT RUN\n {2}Chromium, psql, Java and Maven\n {2}a real Kafka and a MongoDB-protocol server\n$/,
  )
  expect(calls.filter((call) => call.startsWith('apt-get'))).toHaveLength(3)
  expect(calls).toContainEqual(
    expect.stringMatching(/^npm run test -- .* without +chromium psql kafka mongodb$/),
  )
})

test('a tool that no registry gives makes a step that is named as not run', () => {
  const away = [
    '3 npm run engines',
    '3 tools.sh',
    '2 npm run test:clients',
    '3 npm run probe',
    '3 npm run -s test:mutate',
  ]
  const { code, end } = runWithAll(...away)
  expect([code, end.slice(end.indexOf('== NOT RUN')).split('\n')]).toEqual([
    0,
    [
      '== NOT RUN',
      '  a real Kafka and a MongoDB-protocol server',
      '  the chart, whose tools were built beside the tests',
      '  clients that public generators make of the document tour the running product',
      '  schemathesis finds nothing in the running product',
      '  mutations of the rule lines that changed are noticed',
      '',
    ],
  ])
})

test('an engine that does not start is a fault, and one whose registry gives nothing is left out', () => {
  expect(runWithAll('1 npm run engines')).toMatchObject({
    code: 1,
    end: expect.stringContaining('== FAULTS\n  a real Kafka'),
  })
  const { code, calls } = runWithAll('3 npm run engines')
  expect([code, calls.filter((call) => call.startsWith('npm run engines'))]).toEqual([
    0,
    Array(3).fill('npm run engines'),
  ])
  expect(calls).toContainEqual(expect.stringMatching(/^npm run test -- .* without +kafka mongodb$/))
})

test('what a search finds is a fault', () => {
  const { code, end } = runWithAll('1 npm run probe')
  expect([code, end]).toEqual([1, expect.stringContaining('== FAULTS\n  schemathesis finds nothing')])
})
