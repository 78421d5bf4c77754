import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePorts, takeIfFree } from '../src/ports'

const CLAIMS = join(tmpdir(), `cofre-ports-${userInfo().uid}`)

test('a port that another living process holds is not taken, even if nobody listens on it yet', async () => {
  const [port = 0] = await freePorts(1)
  expect(await takeIfFree(port)).toBe(true)
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(other, 'spawn')
  mkdirSync(CLAIMS, { recursive: true })
  writeFileSync(join(CLAIMS, String(port)), String(other.pid))
  expect(await takeIfFree(port)).toBe(false)

  other.kill('SIGKILL')
  await once(other, 'exit')
  expect(await takeIfFree(port)).toBe(true)
})

test('no two calls return the same port', async () => {
  const ports = (await Promise.all([freePorts(50), freePorts(50)])).flat()
  expect(new Set(ports).size).toBe(100)
})
