import { readConfig } from './config'
import { startSandbox } from './start-sandbox'

async function main(): Promise<void> {
  const { close, ...urls } = await startSandbox(readConfig(process.env))
  process.stdout.write(`${JSON.stringify({ ready: true, ...urls })}\n`)

  const stop = () => void close().then(() => process.exit(0), fail)
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function fail(error: unknown): void {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : 'unknown error'}\n`)
  process.exit(1)
}

main().catch(fail)
