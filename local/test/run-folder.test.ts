import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bornAt } from '../src/born-at'
import { clearFolder, makeFolders, readIfThere, runFolder, type RunFolder } from '../src/run-folder'
import { takeLock } from '../src/run-lock'
import { readState, saveState } from '../src/saved-state'
import { endLeftovers, recordChildren } from '../src/started-children'

let run: RunFolder
const children: ChildProcess[] = []

beforeEach(() => {
  run = runFolder(mkdtempSync(join(tmpdir(), 'run-')))
  makeFolders(run)
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(run.dir, { recursive: true })
})

function sleeper(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
  children.push(child)
  return child.pid ?? 0
}

test('a second start is refused while the first runs, and accepted when it has stopped', () => {
  const release = takeLock(run)
  expect(() => takeLock(run)).toThrow(`Already running: process ${process.pid}`)
  release()
  release()
  takeLock(run)()
})

test.each([
  ['whose process is gone', { pid: 2 ** 22 - 1, born: '1' }],
  ['whose id another process has now', { pid: process.ppid, born: '1' }],
])('the lock of a start %s is taken over', (_name, holder) => {
  writeFileSync(run.lock, JSON.stringify(holder))
  takeLock(run)()
})

test('the lock of a start that was interrupted while writing it is taken over', () => {
  writeFileSync(run.lock, '{"pid":')
  takeLock(run)()
})

test('processes that an earlier start left running are ended', async () => {
  const pids = { vault: sleeper(), postgres: sleeper() }
  recordChildren(run, pids)
  expect(await endLeftovers(run)).toEqual(['vault', 'postgres'])
  expect(Object.values(pids).map(bornAt)).toEqual([undefined, undefined])
  expect(await endLeftovers(run)).toEqual([])
})

test('a process that only has the id of one of ours is left alone', async () => {
  const pid = sleeper()
  writeFileSync(run.children, JSON.stringify({ vault: { pid, born: '1' } }))
  expect(await endLeftovers(run)).toEqual([])
  expect(bornAt(pid)).toBeDefined()
})

test('a fresh start removes everything but the lock', () => {
  const release = takeLock(run)
  saveState(run, { ports: { http: 1 }, passwords: {} })
  clearFolder(run)
  makeFolders(run)
  expect(readState(run)).toEqual({ ports: {}, passwords: {} })
  expect(readIfThere(run.lock)).toBeDefined()
  release()
})

test('the saved state contains secrets: only its owner can read it', () => {
  saveState(run, { ports: {}, passwords: { vault: 'p' } })
  expect(statSync(run.state).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(run.state, 'utf8'))).toEqual({ ports: {}, passwords: { vault: 'p' } })
})
