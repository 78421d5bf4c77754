import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { authorize, discard, forget, newRunDir, startSystem } from './system'

const root = join(__dirname, '../..')
const run = promisify(execFile)
const alive = (pid: number) => existsSync(`/proc/${pid}`)

test('a second start finds the data of the first, and a stop leaves no process', async () => {
  const runDir = newRunDir()
  const first = await startSystem(runDir)
  const { body: made } = await authorize(first, 1)
  await first.stop()
  expect(existsSync(join(runDir, 'ready.json'))).toBe(false)
  expect(Object.values(first.ready.pids).filter(alive)).toEqual([])

  const second = await startSystem(runDir)
  const found = await second.api('GET', `/api/v2/charges/${made.id}`)
  await second.stop()
  expect(found.body).toEqual(made)
  expect(second.ready.token).toBe(first.ready.token)
  expect(Object.values(second.ready.pids).filter(alive)).toEqual([])
  forget(runDir)
})

test("the README's tour prints the answers that it shows", async () => {
  const system = await startSystem()
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const script = [...readme.matchAll(/```bash\n([\s\S]*?)```/g)].map((match) => match[1]).join('\n')
  const expected = [...script.matchAll(/^#=> (.*)$/gm)].map((match) => match[1])
  try {
    const { stdout } = await run('bash', ['-ec', script], { cwd: dirname(system.runDir), timeout: 240_000 })
    expect(stdout.trim().split('\n')).toEqual(expected)
  } finally {
    await discard(system)
  }
})
