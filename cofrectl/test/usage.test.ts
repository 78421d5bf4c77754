import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { cofrectl } from '../src/cofrectl'

/** Runs a command line that needs no service. */
async function run(args: string[]) {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const code = await cofrectl(args, { input: Readable.from(['']), output, errors, env: {}, cwd: '/' })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, out: text(output), err: text(errors) }
}

/** Returns the names under `Commands:` in a help text. */
function commandsIn(help: string): string[] {
  const [, list = ''] = /\nCommands:\n([^]*?)\n(?:\n|$)/.exec(help) ?? []
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
}

test('every command has help with an example of itself, and exits with 0', async () => {
  const seen: string[] = []
  const visit = async (path: string[]): Promise<void> => {
    const { code, out } = await run([...path, '--help'])
    expect([code, out]).toEqual([0, expect.stringContaining('Usage: cofrectl')])
    expect(out.split(/\nExamples?:\n/)[1]).toContain(['cofrectl', ...path].join(' '))
    seen.push(path.join(' '))
    for (const name of commandsIn(out)) await visit([...path, name])
  }
  await visit([])
  expect(seen).toEqual(expect.arrayContaining(['user list', 'keys rotate-kek', 'transaction list']))
  expect((await run(['help', 'keys'])).out).toContain('Usage: cofrectl keys')
})

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'))
  expect(await run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
})

test.each([
  [['selller', 'list'], 'Did you mean seller?'],
  [['token', 'crate'], 'Did you mean create?'],
  [['user', 'list', '--saller', '9'], 'Did you mean --seller?'],
])('%j exits with 2 and suggests the nearest name', async (args, words) => {
  expect(await run(args)).toEqual({ code: 2, out: '', err: expect.stringContaining(words) })
})

test('help exits with 0 even in a process whose exit code is already an error', async () => {
  const before = process.exitCode
  process.exitCode = 1
  try {
    expect((await run(['help', 'keys'])).code).toBe(0)
    expect((await run(['help', 'nothing'])).code).toBe(2)
    expect((await run(['keys'])).code).toBe(2)
  } finally {
    process.exitCode = before
  }
})
