import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDatabase } from '../../local/dist/database.js'

/** Runs `work` with the address of a PostgreSQL of its own. Needs a build. */
export async function withPostgres(work) {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-mutate-'))
  chmodSync(dir, 0o755) // As root, PostgreSQL runs as another user, who must be able to enter.
  const server = await startDatabase(join(dir, 'postgres'), await freePort(), { unsafe: true })
  try {
    return await work(server.url)
  } finally {
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
