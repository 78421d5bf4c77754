import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHART, describeChart, refusal } from './render'

type Schema = { [key: string]: unknown }

/** Returns the objects of a schema that accept unknown members: a misspelt name must be refused, not ignored. */
function openObjects(schema: unknown, path = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((each, at) => openObjects(each, `${path}/${at}`))
  if (typeof schema !== 'object' || schema === null) return []
  const { type, additionalProperties } = schema as Schema
  const open = type === 'object' && (additionalProperties === undefined || additionalProperties === true)
  return [
    ...(open ? [path] : []),
    ...Object.entries(schema).flatMap(([key, each]) => openObjects(each, `${path}/${key}`)),
  ]
}

test('the schema of the values leaves no object open', () => {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Schema
  expect(openObjects({ ...schema, type: undefined })).toEqual([])
  expect(schema['additionalProperties']).toBe(false)
})

describeChart('values are refused that', () => {
  test.each([
    ['name an unknown service', 'services.ledger.replicas=2', /services\.ledger: there is no such service/],
    [
      'set the pages of a gateway that is not split',
      'services.gateway-pages.replicas=2',
      /services\.gateway-pages: it exists only with gateway\.split/,
    ],
    [
      'choose what a split gateway serves',
      'gateway.split=true,services.gateway-pages.settings.SERVE=all',
      /SERVE is set by the chart/,
    ],
    ['name an unknown member of a service', 'services.vault.replica=2', /'replica' not allowed/],
    [
      'put a secret among the settings',
      'services.vault.settings.KEY_ENCRYPTION_KEYS=x',
      /KEY_ENCRYPTION_KEYS/,
    ],
    ['put a password among the settings', 'defaults.settings.KAFKA_SASL_PASSWORD=x', /KAFKA_SASL_PASSWORD/],
    ['set what the chart sets', 'services.orders.settings.GRPC_PORT=1', /GRPC_PORT is set by the chart/],
    ['ask for the latest image', 'image.tag=latest', /\/image\/tag/],
    [
      'give a partner without TLS',
      'partners.acquirer.url=http://acquirer.example.com',
      /\/partners\/acquirer/,
    ],
    ['name an unknown partner', 'partners.issuer.url=', /partners\.issuer: there is no such partner/],
    ['say what a partner may be sent', 'partners.acquirer.fields.cvv={/Cvv}', /'fields' not allowed/],
    ['publish without a host', 'ingress.kind=Ingress', /\/ingress\/host/],
    ['name no broker', 'eventLog.kind=kafka', /\/eventLog\/kafka\/brokers/],
    ['put the vault beside the others', 'vaultNamespace=cofre', /needs a namespace of its own/],
    ['leave open where a database is', 'defaults.database.peers=null', /database\.peers.*is empty/],
    ['leave open where a partner is', 'partners.acquirer.peers=null', /partners\.acquirer\.peers is empty/],
    [
      'let an autoscaler stand on its head',
      'services.orders.autoscaling.minReplicas=9',
      /minReplicas is above/,
    ],
    ['disable the vault', 'services.vault.enabled=false', /'enabled' not allowed/],
    [
      'trust a header that callers behind a load balancer write themselves',
      'ingress.service.type=LoadBalancer,ingress.trustedProxies=1',
      /trustedProxies must be 0 with ingress\.service\.type LoadBalancer/,
    ],
  ])('%s', (_words, value, reason) => {
    expect(refusal('minimal', '--set', value)).toMatch(reason)
  })

  test('do not include those of the examples', () => {
    expect(refusal('minimal')).toBeUndefined()
    expect(refusal('full')).toBeUndefined()
    expect(refusal('cert-manager')).toBeUndefined()
  })
})
