import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReaper } from './start-postgres'

/** Starts a program that runs until it is killed. */
function startIdle(env: NodeJS.ProcessEnv = {}): ChildProcess {
  const work = ['-e', 'setInterval(() => {}, 1_000)']
  return spawn(process.execPath, work, { detached: true, stdio: 'ignore', env: { ...process.env, ...env } })
}

const onLinux = existsSync('/proc/self/environ') ? test : test.skip

onLinux(
  'of a run that was killed the programs and the database end, its folder goes, and nothing else',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cofre-reaped-'))
    const [mine, database, other] = [startIdle({ TEST_RUN_DIR: dir }), startIdle(), startIdle()]
    mkdirSync(join(dir, 'postgres'))
    writeFileSync(join(dir, 'postgres/postmaster.pid'), `${database.pid}\n${dir}/postgres\n`)
    const reaper = startReaper(dir)
    try {
      const ended = [mine, database, reaper].map((program) => once(program, 'exit'))
      reaper.stdin?.end()
      expect(await Promise.all(ended)).toEqual([
        [null, 'SIGKILL'],
        [null, 'SIGKILL'],
        [0, null],
      ])
      expect(existsSync(dir)).toBe(false)
      expect(other.exitCode ?? other.signalCode).toBeNull()
    } finally {
      for (const program of [mine, database, other, reaper]) program.kill('SIGKILL')
    }
  },
)
