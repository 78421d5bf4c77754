import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, USUAL_PATHS } from '../src/config'

const pem = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'a.pem')
writeFileSync(pem, 'PEM')

test('defaults: loopback, free ports, seven days, no spacing of voids', () => {
  expect(readConfig({ TLS_CERT_FILE: pem, TLS_KEY_FILE: pem, DATA_DIR: 'd' })).toEqual({
    host: '127.0.0.1',
    clientAuthority: undefined,
    disputeWebhookUrl: undefined,
    ports: {
      chargebacks: 0,
      page: 0,
      inbox: 0,
      acquirer: 0,
      acquirerQuery: 0,
      tokenService: 0,
      voucherIssuer: 0,
      mail: 0,
      bank: 0,
      pixBank: 0,
      threeDSecure: 0,
    },
    publicUrl: undefined,
    tls: { cert: 'PEM', key: 'PEM' },
    dataDir: 'd',
    captureWindowDays: 7,
    voidSpacingMs: 0,
    tokenService: { delayMs: 1000, webhookSecret: undefined },
    bank: { webhookUrl: undefined, webhookSecret: undefined, billingClockUrl: undefined },
    identity: { clients: [], accessTokenSeconds: 300, paths: USUAL_PATHS },
  })
})

test('an error names every bad setting and shows no value', () => {
  const bad = {
    SANDBOX_PORT: '70000',
    SANDBOX_ACQUIRER_PORT: 'secret',
    SANDBOX_VOUCHER_ISSUER_PORT: 'secret',
    SANDBOX_MAIL_PORT: 'secret',
    SANDBOX_BANK_PORT: 'secret',
    SANDBOX_PIX_BANK_PORT: 'secret',
    BANK_WEBHOOK_URL: 'secret',
    BANK_WEBHOOK_SECRET: 'secret',
    BILLING_CLOCK_URL: 'secret',
    SANDBOX_THREE_D_SECURE_PORT: 'secret',
    SANDBOX_PUBLIC_URL: 'secret',
    TLS_CERT_FILE: '/secret',
    CAPTURE_WINDOW_DAYS: '-1',
    VOID_SPACING_MS: '0.5',
    TOKEN_SERVICE_DELAY_MS: '600001',
    TOKEN_SERVICE_WEBHOOK_SECRET: 'whsec_secret',
    SANDBOX_IDENTITY_CLIENTS: '[{"clientId":"a","clientSecret":"secret"}]',
    SANDBOX_IDENTITY_PATHS: '{"token":"secret"}',
    SANDBOX_ACCESS_TOKEN_SECONDS: '0',
  }
  expect.assertions(Object.keys(bad).length + 3)
  try {
    readConfig(bad)
  } catch (error) {
    for (const name of [...Object.keys(bad), 'TLS_KEY_FILE', 'DATA_DIR'])
      expect(String(error)).toContain(name)
    expect(String(error)).not.toContain('secret')
  }
})
