import { z } from 'zod'
import { addressSetting, fileSetting, integerSetting, readSettings } from '../src/service/settings'

const shape = {
  VAULT_ADDRESS: addressSetting,
  POOL: integerSetting(10, 1, 50),
  KEY_FILE: fileSetting,
  NAME: z.string(),
}

test('boot fails naming every missing or bad setting, and never shows a value', () => {
  const bad = { VAULT_ADDRESS: 'no port', POOL: '99', KEY_FILE: '/nowhere/secret' }
  const read = () => readSettings(shape, bad)

  expect(read).toThrow(/VAULT_ADDRESS is invalid: must be host:port/)
  expect(read).toThrow(/POOL is invalid/)
  expect(read).toThrow(/KEY_FILE is invalid: the file cannot be read/)
  expect(read).toThrow(/NAME is missing/)
  expect(read).not.toThrow(/no port|nowhere/)
})

test('a setting by its earlier name stops the boot of a service that has it by the present name, and names that', () => {
  const present = { RESOLVE_MAX_MS: integerSetting(60_000) }
  const read = (given: object, env: Record<string, string>) => () => readSettings({ ...shape, ...given }, env)
  const good = { VAULT_ADDRESS: 'vault:1', KEY_FILE: __filename, NAME: 'x', SETTLE_MAX_MS: '4321' }

  expect(read(present, good)).toThrow('settings:\n  SETTLE_MAX_MS is now called RESOLVE_MAX_MS')
  expect(read(present, { ...good, RESOLVE_MAX_MS: '1' })).toThrow(
    /SETTLE_MAX_MS is now called RESOLVE_MAX_MS/,
  )
  expect(read(present, good)).not.toThrow(/4321/)
  expect(read(present, { ...good, POOL: '99' })).toThrow(/POOL is invalid[^]*SETTLE_MAX_MS is now called/)
  // A service without the setting takes what it is given.
  expect(read({}, good)).not.toThrow()
})

test('a fault within a setting of many parts names the setting and the part', () => {
  const parts = z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.object({ url: z.url() }))

  expect(() => readSettings({ PARTS: parts }, { PARTS: '{"url":"hunter2"}' })).toThrow(
    /PARTS is invalid at url: Invalid URL/,
  )
})

test('defaults hold, text becomes numbers, a file setting is the content of its file', () => {
  const settings = readSettings(shape, {
    VAULT_ADDRESS: 'vault:1',
    POOL: '7',
    KEY_FILE: __filename,
    NAME: 'x',
  })

  expect(settings).toMatchObject({ vaultAddress: 'vault:1', pool: 7, name: 'x' })
  expect(settings.key).toContain('a file setting is what the file says')
})
