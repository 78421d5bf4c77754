import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@cofre/testing/testing'
import { SERVICE_NAMES } from '@cofre/platform/service/services'
import { bornAt } from '../src/born-at'
import type { Ready } from '../src/ready-file'
import { startLocal, type LocalOptions, type LocalSystem } from '../src/start-local'
import { firstCharge } from '../src/terminal/summary'
import { REPOSITORY, STAND_IN_SETTINGS, writeStandIns } from './support/stand-in-services'

const PROGRAMS = ['postgres', 'sandbox', ...SERVICE_NAMES]

let root: string
const running: LocalSystem[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'local-'))
  chmodSync(root, 0o755)
  writeStandIns(root)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((system) => system.kill()))
  rmSync(root, { recursive: true })
})

async function start(change: Partial<LocalOptions> = {}): Promise<LocalSystem> {
  const runDir = join(root, '.run')
  const settings = { ...STAND_IN_SETTINGS, ...change.settings }
  const fixed = { root, runDir, port: 0, sandboxPort: 0, quiet: true, unsynced: true }
  const system = await startLocal({ ...fixed, ...change, settings })
  running.push(system)
  return system
}

const readReady = () => JSON.parse(readFileSync(join(root, '.run/ready.json'), 'utf8')) as Ready
const alive = (pids: Record<string, number>) => Object.keys(pids).filter((name) => bornAt(pids[name] ?? 0))

test('the system starts, shows how to reach it, stops in order and leaves no process', async () => {
  const { ready, cardToken, stop } = await start()
  expect(readReady()).toEqual(ready)
  expect(ready).toMatchObject({
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    token: expect.stringMatching(/^token-/),
    portal: { url: `${ready.baseUrl}/portal`, email: 'demo@cofre.example' },
    sandboxInboxUrl: expect.stringMatching(/^https:\/\/localhost:\d+\/inbox$/),
  })
  expect(ready.secondSeller.sellerId).not.toBe(ready.sellerId)
  expect(Object.keys(ready.metrics).toSorted()).toEqual(SERVICE_NAMES.toSorted())
  expect(new Set(Object.values(ready.metrics)).size).toBe(SERVICE_NAMES.length)
  expect(Object.keys(ready.pids).sort()).toEqual(PROGRAMS.toSorted())
  expect(alive(ready.pids)).toHaveLength(PROGRAMS.length)
  const curl = firstCharge(ready.baseUrl, ready.sellerId, ready.token, cardToken)
  expect(curl).not.toContain('\n')
  await stop()
  expect(alive(ready.pids)).toEqual([])
  expect(readReady).toThrow('ENOENT')
})

test('a second start finds the data of the first: the same sellers, tokens, card and addresses', async () => {
  const first = await start()
  await first.stop()
  const second = await start()
  expect({ ...second.ready, pids: {} }).toEqual({ ...first.ready, pids: {} })
  expect(second.cardToken).toBe(first.cardToken)
  await second.stop()
  const anew = await start({ fresh: true })
  expect(anew.ready.portal.password).not.toBe(first.ready.portal.password)
})

test('each killed program comes back, and ready.json has its new pid', async () => {
  const { ready } = await start()
  for (const name of Object.keys(ready.pids)) {
    process.kill(ready.pids[name] ?? 0, 'SIGKILL')
    await eventually(() => expect(readReady().pids[name]).not.toBe(ready.pids[name]))
  }
  await eventually(() => expect(alive(readReady().pids)).toHaveLength(PROGRAMS.length))
})

test('a second start of the same folder is refused, and the first is left alone', async () => {
  const { ready } = await start()
  await expect(start()).rejects.toThrow('Already running')
  expect(readReady()).toEqual(ready)
  expect(alive(ready.pids)).toHaveLength(PROGRAMS.length)
})

test('the next start ends the processes of a killed one, and finds its data', async () => {
  const options = { root, runDir: join(root, '.run'), port: 0, sandboxPort: 0, settings: STAND_IN_SETTINGS }
  const started = `require('${REPOSITORY}/local/dist/start-local').startLocal(${JSON.stringify(options)})`
  const script = `${started}.then(() => console.info('ready'))`
  const starter = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(starter, 'exit')
  await Promise.race([once(starter.stdout, 'data'), exited])
  const before = readReady()
  starter.kill('SIGKILL')
  await exited
  expect(alive(before.pids)).toHaveLength(PROGRAMS.length)
  const { ready } = await start()
  expect(alive(before.pids)).toEqual([])
  expect(alive(ready.pids)).toHaveLength(PROGRAMS.length)
  expect({ ...ready, pids: {} }).toEqual({ ...before, pids: {} })
})

test('a program that keeps failing ends the start with its last words and leaves no process', async () => {
  const lines: string[] = []
  const progress = (line: string) => void lines.push(line)
  const broken = start({ settings: { STAND_IN_BROKEN: 'vault' }, progress })
  await expect(broken).rejects.toThrow(/vault does not stay up[^]*vault is broken/)
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['Preparing', 'Creating', 'Starting'])
  const children = JSON.parse(readFileSync(join(root, '.run/children.json'), 'utf8'))
  expect(Object.values(children).filter((child) => bornAt((child as { pid: number }).pid))).toEqual([])
})

test('a start can be stopped, and the next one continues where it was', async () => {
  const stopping = new AbortController()
  const progress = (step: string) => {
    if (step.startsWith('Starting the sandbox')) stopping.abort(new Error('Stopped.'))
  }
  await expect(start({ signal: stopping.signal, progress })).rejects.toThrow('Stopped.')
  const { ready } = await start()
  expect(alive(ready.pids)).toHaveLength(PROGRAMS.length)
})
