import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

// Below the range from which systems take ports for outgoing connections: while a service restarts, a caller's attempt
// to reach it must not get that very port.
const LOWEST = 15_000
const HIGHEST = 32_000
const ATTEMPTS_MAX = 1_000

/** A file for each port that a process of this user holds. It no longer counts when that process is gone. */
const CLAIMS = join(tmpdir(), `cofre-ports-${userInfo().uid}`)
const claimed = new Set<number>()

/**
 * Returns `count` different free ports. This process holds them until it ends: another start does not take the port of
 * a program that is started, or started again.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = []
  const ports: number[] = []
  for (let attempt = 0; ports.length < count; attempt++) {
    if (attempt === ATTEMPTS_MAX) throw new Error('no free ports')
    const port = randomInt(LOWEST, HIGHEST)
    const server = await listen(port)
    if (server && (claimed.has(port) || !claim(port))) await close(server)
    else if (server) {
      held.push(server)
      ports.push(port)
    }
  }
  await Promise.all(held.map(close))
  return ports
}

/** True when nobody listens on a port and no other process holds it. This process then holds it. */
export async function takeIfFree(port: number): Promise<boolean> {
  return (await isFree(port)) && claim(port)
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port)
  if (server) await close(server)
  return server !== undefined
}

function claim(port: number): boolean {
  mkdirSync(CLAIMS, { recursive: true })
  const claimAs = (flag: 'w' | 'wx') => writeFileSync(claimOf(port), String(process.pid), { flag })
  try {
    claimAs('wx')
  } catch {
    if (isAnothers(port)) return false
    claimAs('w')
  }
  claimed.add(port)
  return true
}

function isAnothers(port: number): boolean {
  try {
    const owner = Number(readFileSync(claimOf(port), 'utf8'))
    return owner !== process.pid && process.kill(owner, 0)
  } catch {
    return false
  }
}

function claimOf(port: number): string {
  return join(CLAIMS, String(port))
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
