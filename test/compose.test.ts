import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { brandsSetting } from '../services/vouchers/src/brands/brands-setting'

const root = join(__dirname, '..')

/** The settings of a container, with each variable at its default. */
function settingsOf(file: string, container: string): Record<string, string> {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
  const { services } = parse(text) as {
    services: Record<string, { environment: Record<string, string> } | undefined>
  }
  return services[container]?.environment ?? {}
}

test('in docker compose e-mails go to the mail server of the sandbox', () => {
  const invoices = settingsOf('deploy/compose/services.yml', 'invoices')
  const sandbox = settingsOf('docker-compose.yml', 'sandbox')
  expect(invoices['SMTP_URL']).toBe(`smtp://sandbox:${sandbox['SANDBOX_MAIL_PORT']}`)
})

test('in docker compose the vouchers, the vault and the identity provider know each other', () => {
  const vouchers = settingsOf('deploy/compose/services.yml', 'vouchers')
  const sandbox = settingsOf('docker-compose.yml', 'sandbox')
  const partners = JSON.parse(readFileSync(join(root, 'deploy/compose/partners.json'), 'utf8')) as object
  const ticket = brandsSetting.parse(vouchers['VOUCHER_BRANDS']).get('TICKET')
  if (!ticket || !('identity' in ticket)) throw new Error('TICKET is no brand by redirect')
  const { partner, holderPartner, identity } = ticket
  expect(Object.keys(partners)).toEqual(expect.arrayContaining([partner, holderPartner, identity.partner]))
  expect(identity.issuer).toBe(`${sandbox['SANDBOX_PUBLIC_URL']}/identity`)
  const clients: unknown = JSON.parse(sandbox['SANDBOX_IDENTITY_CLIENTS'] ?? '')
  const redirectUris = [`${vouchers['BASE_URL']}/partners/ticket/callback`]
  expect(clients).toEqual([expect.objectContaining({ clientId: 'cofre-demo', redirectUris })])
})
