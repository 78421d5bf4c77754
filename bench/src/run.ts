import { writeFileSync } from 'node:fs'
import { measure } from './measure'
import type { Plan } from './result'

// One run on the Node that executes this file: `run.js <plan as JSON> <file for the result>`.
const [planText = '', resultFile = ''] = process.argv.slice(2)
const startedAt = performance.now()

function progress(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  process.stderr.write(`${seconds.padStart(5)} s  ${process.version}  ${text}\n`)
}

measure(JSON.parse(planText) as Plan, progress).then(
  (result) => {
    writeFileSync(resultFile, JSON.stringify(result))
    process.exit(0)
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  },
)
