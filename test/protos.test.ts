import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(__dirname, '..')
const buf = join(root, 'node_modules/.bin/buf')
let copy: string
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'cofre-protos-'))
  cpSync(join(root, 'proto'), join(copy, 'proto'), { recursive: true })
  cpSync(join(root, 'buf.yaml'), join(copy, 'buf.yaml'))
})
afterEach(() => rmSync(copy, { recursive: true, force: true }))

const edit = (from: string, to: string) => {
  const path = join(copy, 'proto/orders/v1/orders.proto')
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}
const breaking = () => spawnSync(buf, ['breaking', '--against', root], { cwd: copy, encoding: 'utf8' })

test('an added field is no breaking change', () => {
  edit('int64 charge_id = 2;', 'int64 charge_id = 2;\n  string note = 99;')
  expect(breaking()).toMatchObject({ status: 0 })
})

test('a renumbered field is caught', () => {
  edit('int64 charge_id = 2;', 'int64 charge_id = 12;')
  const { status, stdout } = breaking()
  expect(status).not.toBe(0)
  expect(stdout).toContain('charge_id')
})
