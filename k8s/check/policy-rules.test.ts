import { kubeScoreFindings } from './kube-score'
import type { Manifest } from './manifest'
import { ruleFindings, RULES, type Finding } from './policy-rules'
import { describeChart, render, VALUES, type Values } from './render'
import { DEFECTS, finder } from './seeded-defects'

/** The objects that a deployment provides in addition to one Secret for each service. */
const ALSO_BROUGHT: Record<Values, string[]> = {
  minimal: ['Secret cofre/cofre-event-log'],
  full: [
    'Secret card-vault/vault-keys',
    'ConfigMap card-vault/acquirer-authority',
    'ConfigMap card-vault/tokens-authority',
    ...['receivers', 'mail', 'kafka', 'mongodb', 'database'].map(
      (name) => `ConfigMap cofre/${name}-authority`,
    ),
    'Secret cofre/cofre-history',
    'Secret cofre/kafka-client',
    'Secret cofre/kafka-password',
  ],
  'cert-manager': [],
}

function findings(values: Values, manifests: readonly Manifest[]): Finding[] {
  const brought = [
    ...manifests
      .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name !== 'cofre-gateway-pages')
      .map(({ metadata }) => `Secret ${metadata.namespace}/${metadata.name}`),
    ...ALSO_BROUGHT[values],
  ]
  const isBrought = ({ words }: Finding) => brought.some((name) => words.startsWith(`${name} `))
  return [
    ...kubeScoreFindings(manifests),
    ...ruleFindings(manifests).filter((finding) => finding.rule !== 'referencesExist' || !isBrought(finding)),
  ]
}

describeChart(
  'kube-score and the rules of the house',
  () => {
    test.each(VALUES)('find nothing in the manifests of %s', (values) => {
      expect(findings(values, render(values))).toEqual([])
    })

    test.each(Object.entries(DEFECTS))('find %s', (_name, defect) => {
      const values = defect.in ?? 'minimal'
      const manifests = render(values)
      defect.put(finder(manifests))
      const found = findings(values, manifests).map(
        ({ rule, object, words }) => `${rule} ${object}: ${words}`,
      )
      expect(found.sort()).toEqual(defect.found.toSorted())
    })

    test('each rule of the house has a defect that proves it', () => {
      const proven = new Set(
        Object.values(DEFECTS).flatMap(({ found }) => found.map((words) => words.split(' ')[0])),
      )
      expect(Object.keys(RULES).filter((rule) => !proven.has(rule))).toEqual([])
    })
  },
  'kube-score',
)
