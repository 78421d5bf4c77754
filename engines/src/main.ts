import { Command } from 'commander'
import { NotFetched } from './maven'
import { buildSecantus } from './secantus'
import {
  findStandingEngines,
  forgetStandingEngines,
  startStandingEngines,
  stopStandingEngines,
} from './standing-engines'

const program = new Command('npm run engines --')
  .description(
    "Fetches and starts a real Apache Kafka and a server that speaks MongoDB's protocol, on free ports of this machine.",
  )
  .option('--status', 'list the running engines and their addresses')
  .option('--stop', 'stop them; their data stays')
  .option('--fresh', 'delete the data of earlier runs')
  .option('--durable', 'build SecantusDB (Rust, some ten minutes): a document store that survives kill -9')
  .addHelpText(
    'after',
    `
They stay when this command ends. Data and logs are in .run/engines/data, what was fetched is in .run/engines.
Needs Java 17 or newer and, the first time, Apache Maven. \`npm start -- --engines\` runs the product on them,
\`npm run test:engines\` runs the tests that need engines (with some of its own).

Exit code 1 when an engine did not start or stop, 3 when one could not be fetched.`,
  )

async function main(): Promise<void> {
  const { status, stop, fresh, durable } = program
    .parse()
    .opts<Partial<Record<'status' | 'stop' | 'fresh' | 'durable', true>>>()
  if (stop || fresh) await stopStandingEngines()
  if (fresh) forgetStandingEngines()
  if (stop) return
  if (durable) await buildSecantus()
  if (!status) await startStandingEngines(say)
  const running = Object.values(await findStandingEngines())
  say(running.length === 0 ? 'None runs.' : '')
  for (const { name, version, url, pid } of running) say(`  ${name} ${version}  ${url}  process ${pid}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof NotFetched ? 3 : 1
})
