// The first step of `npm start`: `npm run build`, with its progress. A silent minute looks like a hang.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const QUIET_MS = 3_000
const began = performance.now()
let doing = ''
let since = began
let spoke = performance.now()

function say(text) {
  process.stdout.write(`${text}\n`)
  spoke = performance.now()
}

function begin(step) {
  doing = step
  since = performance.now()
  say(`${step} …`)
}

/** Runs a program and passes each line of its output to `show`. On failure, exits with the program's code. */
async function run(command, args, show) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  for await (const line of createInterface({ input: child.stdout })) show(line)
  const code = await ended
  if (code !== 0) process.exit(code ?? 1)
}

const waiting = setInterval(() => {
  if (performance.now() - spoke < QUIET_MS) return
  say(
    `  still working: ${doing.charAt(0).toLowerCase()}${doing.slice(1)} (${Math.round((performance.now() - since) / 1_000)} s)`,
  )
}, 500)

begin('Generating code from the contracts in proto/')
await run('npx', ['buf', 'generate'], say)
begin('Compiling')
let compiled = 0
await run('node_modules/.bin/tsc', ['-b', '--verbose'], (line) => {
  const project = /Building project '(.*)\/tsconfig\.json'/.exec(line)?.[1]
  if (project !== undefined) {
    compiled++
    begin(`Compiling ${project}`)
  } else if (/error TS\d+|^Found \d+ error/.test(line)) say(line)
})
await run(process.execPath, ['scripts/finish-build.mjs'], say)
clearInterval(waiting)
const seconds = Math.round((performance.now() - began) / 1_000)
say(compiled > 0 ? `Compiled ${compiled} packages in ${seconds} s.` : 'Everything is compiled already.')
