import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAULT_CODES } from '../../src/docs/fault-codes'
import { PROBLEM_CODES } from '../../src/http/problem-codes'

/** How the services write a fault: by a function, as an object, or as the parameters of a schema's check. */
const WRITTEN = [
  /\b(?:addFault|fault)\((?:[^,']|'[^']*')+, (?:[^,']+, )?'([A-Z_]+)'/g,
  /\bcode: '([A-Z_]+)', detail/g,
  /\bparams: \{\s*code: '([A-Z_]+)'/g,
]

const ROOT = join(__dirname, '../../../..')

function codesInSources(): Set<string> {
  const texts = ['services', 'packages'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name !== 'testing')
      .flatMap((name) => sourcesIn(join(ROOT, folder, name, 'src'))),
  )
  return new Set(
    texts.flatMap((text) => WRITTEN.flatMap((each) => [...text.matchAll(each)].map(([, code = '']) => code))),
  )
}

function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => readFileSync(join(folder, name), 'utf8'))
}

test('the manual says what each fault code means that a service writes', () => {
  const codes = [...codesInSources()]
  expect(codes.length).toBeGreaterThan(20)
  expect(codes.filter((code) => !(code in FAULT_CODES) && !(code in PROBLEM_CODES))).toEqual([])
})
