import { availabilityRules } from './availability-rules'
import type { Manifest } from './manifest'
import { podRules, type Rule } from './pod-rules'
import { referenceRules } from './reference-rules'
import { describeChart, render, VALUES, type Values } from './render'
import { DEFECTS, finder } from './seeded-defects'

/** The Secrets and ConfigMaps that each set of values expects the deployment to bring. */
const BROUGHT: Record<Values, string[]> = {
  minimal: [
    ...['gateway', 'orders', 'network-token', 'notifier', 'event-log'].map(
      (name) => `Secret cofre/cofre-${name}`,
    ),
    'Secret cofre-vault/cofre-vault',
  ],
  full: [
    ...['gateway', 'orders', 'network-token', 'notifier', 'history'].map(
      (name) => `Secret cofre/cofre-${name}`,
    ),
    'Secret card-vault/vault-keys',
    'ConfigMap card-vault/acquirer-authority',
    'ConfigMap card-vault/tokens-authority',
    ...['acquirer', 'receivers', 'kafka', 'mongodb', 'database'].map(
      (name) => `ConfigMap cofre/${name}-authority`,
    ),
    'Secret cofre/kafka-client',
    'Secret cofre/kafka-password',
  ],
  'cert-manager': [
    ...['gateway', 'orders', 'network-token', 'notifier'].map((name) => `Secret cofre/cofre-${name}`),
    'Secret cofre-vault/cofre-vault',
  ],
}

const rulesFor = (values: Values): Record<string, Rule> => ({
  ...podRules,
  ...availabilityRules,
  ...referenceRules(new Set(BROUGHT[values])),
})

const findings = (values: Values, manifests: readonly Manifest[]) =>
  Object.entries(rulesFor(values)).flatMap(([name, rule]) =>
    rule(manifests).map((words) => `${name} ${words}`),
  )

describeChart('the rules of the house', () => {
  test.each(VALUES)('find nothing in what is made of %s', (values) => {
    expect(findings(values, render(values))).toEqual([])
  })

  test.each(Object.entries(DEFECTS))('find %s', (_name, defect) => {
    const values = defect.in ?? 'minimal'
    const manifests = render(values)
    defect.put(finder(manifests))
    expect(findings(values, manifests).sort()).toEqual(defect.found.toSorted())
  })

  test('each have a defect that proves them', () => {
    const proven = new Set(
      Object.values(DEFECTS).flatMap(({ found }) => found.map((words) => words.split(' ')[0])),
    )
    expect(Object.keys(rulesFor('minimal')).filter((rule) => !proven.has(rule))).toEqual([])
  })
})
