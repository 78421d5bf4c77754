import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

// Below the range from which systems give outgoing connections their ports: while a service restarts, a caller's
// attempt to reach it must not be given that very port.
const LOWEST = 15_000
const HIGHEST = 32_000
const ATTEMPTS_MAX = 1_000

/** `count` ports that are free now; all are held until all are found, so that no two are the same. */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = []
  const ports: number[] = []
  for (let attempt = 0; ports.length < count; attempt++) {
    if (attempt === ATTEMPTS_MAX) throw new Error('no free ports')
    const port = randomInt(LOWEST, HIGHEST)
    const server = await listen(port)
    if (server) {
      held.push(server)
      ports.push(port)
    }
  }
  await Promise.all(held.map(close))
  return ports
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port)
  if (server) await close(server)
  return server !== undefined
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()))
}
