import { startTestSandbox, type TestSandbox } from '../support'
import { callBank, slip } from './bank-slips'

let sandbox: TestSandbox
let line: string
beforeEach(async () => {
  sandbox = await startTestSandbox()
  line = (await callBank(sandbox, 'POST', '', slip(1))).body.linhaDigitavel
})
afterEach(() => sandbox.end())

const page = async (typed: string) => {
  const { status, body } = await sandbox.control('GET', `/boletos/pay?line=${encodeURIComponent(typed)}`)
  expect(status).toBe(200)
  return String(body).replaceAll('\u00a0', ' ')
}

test('a typed line, with or without its dots, shows the boleto and pays it', async () => {
  const digits = line.replaceAll(/\D/g, '')
  for (const typed of [digits, digits.replace(/^(.{5})(.{5})/, '$1.$2 ')]) {
    expect(await page(typed)).toContain('Pagar R$ 123,45')
  }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const paid = await sandbox.call('POST', `${sandbox.url}/boletos/${digits}/pay`, { body: '', headers })
  expect([paid.status, paid.headers['location']]).toEqual([303, `/boletos/pay?line=${digits}`])
  const after = await page(digits)
  expect(after).toContain('LIQUIDADO')
  expect(after).not.toContain('Pagar R$')
  expect(after).not.toMatch(/<script|<link(?! rel="icon" href="data:)|<img|@import|src=/)
})

test('an unknown line says so, and what is typed is shown as text', async () => {
  expect(await page('')).not.toContain('role="alert"')
  expect(await page('123')).toContain('Não há boleto com esta linha.')
  expect(await page('"><script>')).not.toContain('<script>')
})
