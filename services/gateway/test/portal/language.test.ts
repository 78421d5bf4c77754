import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VIEWS_DIR } from '../../src/portal/pages'
import { PORTUGUESE } from '../../src/portal/words/portuguese'
import { openBrowser, readable } from './browser'
import { captured } from './charge-samples'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

const WORDS_DIR = join(__dirname, '../../src/portal/words')

let system: PortalSystem
beforeAll(async () => (system = await startPortal()))
afterAll(() => system.stop())

test('every text of a template that is translated has a translation', () => {
  const used = readdirSync(VIEWS_DIR)
    .filter((name) => name.endsWith('.eta'))
    .flatMap((name) => {
      const text = readFileSync(join(VIEWS_DIR, name), 'utf8')
      return [...text.matchAll(/it\.t\((?:[^'()]*\? )?'((?:[^'\\]|\\.)*)'(?: : '((?:[^'\\]|\\.)*)')?/g)]
    })
    .flatMap(([, one, two]) => [one, two])
    .filter((text) => text !== undefined)
  expect(used.length).toBeGreaterThan(50)
  expect(used.filter((text) => !Object.hasOwn(PORTUGUESE, text))).toEqual([])
})

test('a text has one translation: no file of words says it again in other words', () => {
  const files = readdirSync(WORDS_DIR).filter((name) => /^portuguese-.*\.ts$/.test(name))
  const said = files.flatMap((name) => {
    const text = readFileSync(join(WORDS_DIR, name), 'utf8')
    return [...text.matchAll(/^ {2}(?:'((?:[^'\\]|\\.)*)'|(\w+)):/gm)].map(([, one, other]) => one ?? other)
  })
  expect(files.length).toBeGreaterThan(5)
  expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([])
})

test('a translation names the same values as its text', () => {
  const valuesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
  for (const [english, portuguese] of Object.entries(PORTUGUESE)) {
    expect([english, valuesOf(portuguese)]).toEqual([english, valuesOf(english)])
  }
})

test('a browser is answered in the language that it prefers, unless its user chose another', async () => {
  const { sellerId, email } = await system.makeSeller()
  system.behind.charges = [captured({ id: 981, sellerId })]
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  expect((await browser.get('/portal/charges/981')).text).toContain('<html lang="en">')
  const chosen = await browser.get('/portal/charges/981?language=pt-BR')
  expect([chosen.status, chosen.location]).toEqual([303, '/portal/charges/981'])
  const { text, headers } = await browser.get('/portal/charges/981')
  expect(headers.get('content-language')).toBe('pt-BR')
  const words = readable(text).replaceAll('\u00a0', ' ')
  expect(words).toContain('Cobrança 981 Capturada')
  expect(words).toContain('Código de autorização 123456')
  expect(words).toContain('5 de mar. de 2026')
  // A line breaks before the time of day alone.
  expect(text).toContain('5\u00a0de\u00a0mar.\u00a0de\u00a02026, 14:05')
  const filtered = await browser.get('/portal/charges?status=DENIED&language=en')
  expect(filtered.location).toBe('/portal/charges?status=DENIED')
})
