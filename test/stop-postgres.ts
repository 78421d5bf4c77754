import { rmSync } from 'node:fs'

export default async function stopPostgres(): Promise<void> {
  const started = globalThis.testDatabase
  if (!started) return
  await started.server.stop()
  rmSync(started.dir, { recursive: true, force: true })
  started.reaper.kill('SIGKILL')
}
