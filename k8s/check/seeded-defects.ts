import type { Container, Manifest, PodSpec, Spec } from './manifest'
import type { Values } from './render'

/** One defect: the values it is put into, where, and what is to be said of it, by which rule. */
export type Defect = { in?: Values; put: (find: Find) => void; found: string[] }
type Find = {
  manifest: (kind: string, name: string) => Manifest
  spec: (kind: string, name: string) => Spec
  pod: (kind: string, name: string) => PodSpec
  container: (kind: string, name: string) => Container
  all: Manifest[]
}

export const DEFECTS: Record<string, Defect> = {
  'a budget of no pod': {
    put: ({ spec }) => (spec('PodDisruptionBudget', 'cofre-orders').maxUnavailable = 0),
    found: [
      'budgetAllowsEviction PodDisruptionBudget cofre/cofre-orders: forbids every eviction while 2 run',
    ],
  },
  'a budget of all pods': {
    put: ({ spec }) => {
      const budget = spec('PodDisruptionBudget', 'cofre-vault')
      delete budget.maxUnavailable
      budget.minAvailable = '100%'
    },
    found: [
      'budgetAllowsEviction PodDisruptionBudget cofre-vault/cofre-vault: forbids every eviction while 2 run',
    ],
  },
  'a budget of as many pods as there are': {
    put: ({ spec }) => {
      const budget = spec('PodDisruptionBudget', 'cofre-gateway')
      delete budget.maxUnavailable
      budget.minAvailable = 2
    },
    found: [
      'budgetAllowsEviction PodDisruptionBudget cofre/cofre-gateway: forbids every eviction while 2 run',
    ],
  },
  'a budget that guards nothing': {
    put: ({ spec }) =>
      (spec('PodDisruptionBudget', 'cofre-orders').selector = { matchLabels: { app: 'orders' } }),
    found: [
      'budgetAllowsEviction PodDisruptionBudget cofre/cofre-orders: guards nothing',
      'everyServiceHasBudget Deployment cofre/cofre-orders: has no disruption budget',
    ],
  },
  'an autoscaler without a target': {
    put: ({ spec }) =>
      (spec('HorizontalPodAutoscaler', 'cofre-orders').scaleTargetRef = {
        kind: 'Deployment',
        name: 'order',
      }),
    found: ['scalerHasTarget HorizontalPodAutoscaler cofre/cofre-orders: its target is not there'],
  },
  'replicas beside an autoscaler': {
    put: ({ spec }) => (spec('Deployment', 'cofre-orders').replicas = 3),
    found: ['scalerHasTarget Deployment cofre/cofre-orders: says replicas, which its autoscaler also does'],
  },
  'an autoscaler upside down': {
    put: ({ spec }) => (spec('HorizontalPodAutoscaler', 'cofre-orders').minReplicas = 30),
    found: ['scalerHasTarget HorizontalPodAutoscaler cofre/cofre-orders: its minimum is above its maximum'],
  },
  'an update that takes away first': {
    put: ({ spec }) =>
      (spec('Deployment', 'cofre-gateway').strategy = { rollingUpdate: { maxUnavailable: '25%' } }),
    found: [
      'updateKeepsAllPods Deployment cofre/cofre-gateway: an update takes pods away before it brings new ones',
    ],
  },
  'a selector that does not fit': {
    put: ({ spec }) => (spec('Deployment', 'cofre-notifier').selector = { matchLabels: { app: 'notifier' } }),
    found: ['selectorFits Deployment cofre/cofre-notifier: does not select its own pods'],
  },
  'a selector that takes migrations for the service': {
    put: ({ spec }) => {
      const labels = { 'app.kubernetes.io/part-of': 'cofre', 'app.kubernetes.io/version': '0.1.0' }
      spec('Deployment', 'cofre-vault').selector = { matchLabels: labels }
    },
    found: [
      'selectorFits Deployment cofre-vault/cofre-vault: also selects Job cofre-vault/cofre-vault-migration',
    ],
  },
  'settings without a checksum': {
    put: ({ spec }) =>
      delete spec('Deployment', 'cofre-orders').template?.metadata.annotations?.['checksum/settings'],
    found: ['settingsRollPods Deployment cofre/cofre-orders: changed settings would not replace its pods'],
  },
  'a hook whose account comes later': {
    put: ({ manifest }) => delete manifest('ServiceAccount', 'cofre-orders-migration').metadata.annotations,
    found: ['hooksNeedOnlyHooks Job cofre/cofre-orders-migration: its service account comes after it'],
  },
  'a hook whose settings come later': {
    put: ({ container }) =>
      (container('Job', 'cofre-orders-migration').envFrom = [{ configMapRef: { name: 'cofre-orders' } }]),
    found: [
      'hooksNeedOnlyHooks Job cofre/cofre-orders-migration: ConfigMap cofre/cofre-orders comes after it',
    ],
  },
  'a pod that may run as root': {
    put: ({ pod }) => (pod('Deployment', 'cofre-vault').securityContext = {}),
    found: [
      'podIsConfined Deployment cofre-vault/cofre-vault: may run as root',
      'podIsConfined Deployment cofre-vault/cofre-vault: does not run as user 10001',
      'podIsConfined Deployment cofre-vault/cofre-vault: has no seccomp profile',
    ],
  },
  'a pod with a token': {
    put: ({ pod }) => delete pod('Job', 'cofre-vault-migration').automountServiceAccountToken,
    found: ["podIsConfined Job cofre-vault/cofre-vault-migration: is given a token of Kubernetes' API"],
  },
  'a container that writes and escalates': {
    put: ({ container }) =>
      (container('Pod', 'cofre-test').securityContext = { capabilities: { drop: ['ALL'] } }),
    found: [
      'containerIsConfined Pod cofre/cofre-test: can write to its root file system',
      'containerIsConfined Pod cofre/cofre-test: may gain privileges',
    ],
  },
  'a container with capabilities': {
    put: ({ container }) => {
      const context = container('Deployment', 'cofre-vault').securityContext
      if (context) context.capabilities = { add: ['NET_ADMIN'] }
    },
    found: [
      'containerIsConfined Deployment cofre-vault/cofre-vault: keeps capabilities',
      'containerIsConfined Deployment cofre-vault/cofre-vault: is given capabilities',
    ],
  },
  'an image that is latest': {
    put: ({ container }) =>
      (container('Deployment', 'cofre-orders').image = 'example.com:5000/cofre/orders:latest'),
    found: [
      'imageHasVersion Deployment cofre/cofre-orders: its image is latest: example.com:5000/cofre/orders:latest',
    ],
  },
  'an image without a version': {
    put: ({ container }) => (container('Deployment', 'cofre-orders').image = 'example.com:5000/cofre/orders'),
    found: [
      'imageHasVersion Deployment cofre/cofre-orders: its image has no version: example.com:5000/cofre/orders',
    ],
  },
  'requests above limits': {
    put: ({ container }) =>
      (container('Deployment', 'cofre-orders').resources = {
        requests: { cpu: '200m', memory: '1Gi' },
        limits: { cpu: 0.1, memory: '512Mi' },
      }),
    found: [
      'resourcesFit Deployment cofre/cofre-orders: requests more cpu than its limit',
      'resourcesFit Deployment cofre/cofre-orders: requests more memory than its limit',
    ],
  },
  'no limit of memory': {
    put: ({ container }) => delete container('Deployment', 'cofre-orders').resources?.limits,
    found: ['resourcesFit Deployment cofre/cofre-orders: has no limit of memory'],
  },
  'no probe': {
    put: ({ container }) => delete container('Deployment', 'cofre-vault').readinessProbe,
    found: ['isProbed Deployment cofre-vault/cofre-vault: has no readinessProbe'],
  },
  'a probe of no port': {
    put: ({ container }) =>
      (container('Deployment', 'cofre-gateway').livenessProbe = {
        httpGet: { path: '/healthz', port: 'web' },
      }),
    found: [
      'probePortExists Deployment cofre/cofre-gateway: livenessProbe asks a port that is not there: web',
    ],
  },
  'too little time to stop': {
    put: ({ pod }) => (pod('Deployment', 'cofre-gateway').terminationGracePeriodSeconds = 30),
    found: ['hasTimeToStop Deployment cofre/cofre-gateway: is killed after 30 s, while it may still finish'],
  },
  'a setting given twice': {
    put: ({ container }) =>
      container('Deployment', 'cofre-orders').env?.push({ name: 'DATABASE_URL', value: 'x' }),
    found: ['settingsAreSingle Deployment cofre/cofre-orders: sets DATABASE_URL twice'],
  },
  'a ConfigMap that is not there': {
    put: ({ container }) =>
      (container('Deployment', 'cofre-orders').envFrom = [{ configMapRef: { name: 'orders' } }]),
    found: [
      'referencesExist Deployment cofre/cofre-orders: ConfigMap cofre/orders is not there, or has no entries',
    ],
  },
  "a Secret of the other namespace's": {
    put: ({ container }) =>
      container('Deployment', 'cofre-orders').env?.push({
        name: 'KEY',
        valueFrom: { secretKeyRef: { name: 'cofre-vault', key: 'key-encryption-keys' } },
      }),
    found: [
      'referencesExist Deployment cofre/cofre-orders: Secret cofre/cofre-vault is not there, or has no key-encryption-keys',
    ],
  },
  'an entry that a Secret has not': {
    put: ({ manifest }) => delete manifest('Secret', 'cofre-notifier-tls').data?.['ca.crt'],
    found: [
      'referencesExist Deployment cofre/cofre-notifier: Secret cofre/cofre-notifier-tls is not there, or has no ca.crt',
    ],
  },
  'a service account that is not there': {
    put: ({ pod }) => (pod('Deployment', 'cofre-vault').serviceAccountName = 'vault'),
    found: ['referencesExist Deployment cofre-vault/cofre-vault: its service account is not there: vault'],
  },
  'a service that selects nothing': {
    put: ({ spec }) => (spec('Service', 'cofre-vault').selector = { app: 'vault' }),
    found: ['serviceReachesPods Service cofre-vault/cofre-vault: selects nothing'],
  },
  'a service whose pods have no such port': {
    put: ({ spec }) =>
      (spec('Service', 'cofre-orders').ports = [{ name: 'grpc', port: 50_051, targetPort: 'rpc' }]),
    found: ['serviceReachesPods Service cofre/cofre-orders: its pods have no port rpc'],
  },
  'an ingress without a backend': {
    in: 'full',
    put: ({ spec }) =>
      (spec('Ingress', 'cofre-gateway').rules = [{ backendRefs: [{ name: 'cofre-gateway', port: 8080 }] }]),
    found: ['backendsExist Ingress cofre/cofre-gateway: there is no service cofre-gateway with port 8080'],
  },
  'a secret in a ConfigMap': {
    put: ({ manifest }) => {
      const { data = {} } = manifest('ConfigMap', 'cofre-orders')
      data['KAFKA_SASL_PASSWORD'] = 'x'
      data['OTHER'] = 'mongodb://cofre:word@mongodb.example.com'
    },
    found: [
      'configMapsHoldNoSecrets ConfigMap cofre/cofre-orders: KAFKA_SASL_PASSWORD looks like a secret',
      'configMapsHoldNoSecrets ConfigMap cofre/cofre-orders: OTHER looks like a secret',
    ],
  },
  'a pod without a network policy': {
    put: ({ all, manifest }) => void all.splice(all.indexOf(manifest('NetworkPolicy', 'cofre-test')), 1),
    found: ['everyPodHasPolicy Pod cofre/cofre-test: no network policy is about it, in both directions'],
  },
  'a network policy of one direction, about no pod': {
    put: ({ spec }) => (spec('NetworkPolicy', 'cofre-vault').podSelector = { matchLabels: { app: 'vault' } }),
    found: [
      'everyPodHasPolicy Deployment cofre-vault/cofre-vault: no network policy is about it, in both directions',
      'everyPodHasPolicy NetworkPolicy cofre-vault/cofre-vault: is about no pod',
    ],
  },
  'an object without a namespace': {
    put: ({ manifest }) => delete manifest('ConfigMap', 'cofre-vault-partners').metadata.namespace,
    found: [
      'referencesExist Deployment cofre-vault/cofre-vault: ConfigMap cofre-vault/cofre-vault-partners is not there, or has no partners.json',
      'namespaceIsNamed ConfigMap -/cofre-vault-partners: has no namespace',
    ],
  },
  "a certificate with another's name": {
    in: 'cert-manager',
    put: ({ spec }) => spec('Certificate', 'cofre-notifier').dnsNames?.push('cofrectl'),
    found: [
      'certificatesNameTheirOwner Certificate cofre/cofre-notifier: names notifier, cofrectl, not notifier',
    ],
  },
}

export function finder(all: Manifest[]): Find {
  const manifest = (kind: string, name: string) => {
    const found = all.find((each) => each.kind === kind && each.metadata.name === name)
    if (!found) throw new Error(`there is no ${kind} ${name}`)
    return found
  }
  const spec = (kind: string, name: string) => manifest(kind, name).spec ?? {}
  const pod = (kind: string, name: string) =>
    spec(kind, name).template?.spec ?? (spec(kind, name) as unknown as PodSpec)
  const container = (kind: string, name: string) => {
    const [first] = pod(kind, name).containers
    if (!first) throw new Error(`${kind} ${name} has no container`)
    return first
  }
  return { manifest, spec, pod, container, all }
}
