import type { Container, Manifest, PodSpec, Spec } from './manifest'
import type { Values } from './render'

/** A defect: its set of values, its change, and the findings of kube-score or of our own rules. */
export type Defect = { in?: Values; put: (find: Find) => void; found: string[] }
type Find = {
  manifest: (kind: string, name: string) => Manifest
  spec: (kind: string, name: string) => Spec
  pod: (kind: string, name: string) => PodSpec
  container: (kind: string, name: string) => Container
}

const KUBE_SCORE: Record<string, Defect> = {
  'an autoscaler without a target': {
    put: ({ spec }) =>
      (spec('HorizontalPodAutoscaler', 'cofre-orders').scaleTargetRef = {
        kind: 'Deployment',
        name: 'order',
      }),
    found: [
      'deployment-replicas Deployment cofre/cofre-orders: Deployment few replicas',
      'horizontalpodautoscaler-has-target HorizontalPodAutoscaler cofre/cofre-orders: The HPA target does not match anything',
    ],
  },
  'replicas beside an autoscaler': {
    put: ({ spec }) => (spec('Deployment', 'cofre-orders').replicas = 3),
    found: [
      'deployment-targeted-by-hpa-does-not-have-replicas-configured Deployment cofre/cofre-orders: The deployment is targeted by a HPA, but a static replica count is configured in the DeploymentSpec',
    ],
  },
  'a selector that does not fit': {
    put: ({ spec }) => (spec('Deployment', 'cofre-notifier').selector = { matchLabels: { app: 'notifier' } }),
    found: [
      'deployment-pod-selector-labels-match-template-metadata-labels Deployment cofre/cofre-notifier: Deployment selector labels not matching template metadata labels',
    ],
  },
  'a user that the host may also have': {
    put: ({ pod }) => (pod('Deployment', 'cofre-vault').securityContext = { runAsNonRoot: true }),
    found: [
      'container-seccomp-profile Deployment cofre-vault/cofre-vault: The container has not configured Seccomp',
      'container-security-context-user-group-id Deployment cofre-vault/cofre-vault: The container is running with a low user ID, The container running with a low group ID',
    ],
  },
  'a container that may write': {
    put: ({ container }) => delete container('Pod', 'cofre-test').securityContext?.readOnlyRootFilesystem,
    found: [
      'container-security-context-readonlyrootfilesystem Pod cofre/cofre-test: The pod has a container with a writable root filesystem',
    ],
  },
  'a privileged container': {
    put: ({ container }) =>
      Object.assign(container('Job', 'cofre-vault-migration').securityContext ?? {}, { privileged: true }),
    found: [
      'container-security-context-privileged Job cofre-vault/cofre-vault-migration: The container is privileged',
    ],
  },
  'an image that is latest': {
    put: ({ container }) =>
      (container('Deployment', 'cofre-orders').image = 'example.com:5000/cofre/orders:latest'),
    found: ['container-image-tag Deployment cofre/cofre-orders: Image with latest tag'],
  },
  'an image without a version': {
    put: ({ container }) => (container('Deployment', 'cofre-orders').image = 'example.com/cofre/orders'),
    found: ['container-image-tag Deployment cofre/cofre-orders: Image with latest tag'],
  },
  'no limit of memory': {
    put: ({ container }) => delete container('Deployment', 'cofre-orders').resources?.limits,
    found: ['container-resources Deployment cofre/cofre-orders: Memory limit is not set'],
  },
  'no readiness probe': {
    put: ({ container }) => delete container('Deployment', 'cofre-vault').readinessProbe,
    found: ['pod-probes Deployment cofre-vault/cofre-vault: Container is missing a readinessProbe'],
  },
  'no liveness probe': {
    put: ({ container }) => delete container('Deployment', 'cofre-vault').livenessProbe,
    found: ['pod-probes Deployment cofre-vault/cofre-vault: Container is missing a livenessProbe'],
  },
  'a setting given twice': {
    put: ({ container }) =>
      container('Deployment', 'cofre-orders').env?.push({ name: 'DATABASE_URL', value: 'x' }),
    found: [
      'environment-variable-key-duplication Deployment cofre/cofre-orders: Environment Variable Key Duplication',
    ],
  },
  'an ingress without a backend': {
    in: 'full',
    put: ({ spec }) => {
      const [path] = spec('Ingress', 'cofre-gateway').rules?.[0]?.http?.paths ?? []
      if (path) path.backend.service.port = { number: 8081 }
    },
    found: ['ingress-targets-service Ingress cofre/cofre-gateway: No service match was found'],
  },
  'a network policy about no pod': {
    put: ({ spec }) => (spec('NetworkPolicy', 'cofre-vault').podSelector = { matchLabels: { app: 'vault' } }),
    found: [
      "networkpolicy-targets-pod NetworkPolicy cofre-vault/cofre-vault: The NetworkPolicys selector doesn't match any pods",
    ],
  },
}

const HOUSE: Record<string, Defect> = {
  'a budget of no pod': {
    put: ({ spec }) => (spec('PodDisruptionBudget', 'cofre-orders').maxUnavailable = 0),
    found: [
      'budgetAllowsEviction PodDisruptionBudget cofre/cofre-orders: forbids every eviction while 2 pods run',
    ],
  },
  'a budget of all pods': {
    put: ({ spec }) => {
      const budget = spec('PodDisruptionBudget', 'cofre-vault')
      delete budget.maxUnavailable
      budget.minAvailable = '100%'
    },
    found: [
      'budgetAllowsEviction PodDisruptionBudget cofre-vault/cofre-vault: forbids every eviction while 2 pods run',
    ],
  },
  'a budget of as many pods as there are': {
    put: ({ spec }) => {
      const budget = spec('PodDisruptionBudget', 'cofre-gateway')
      delete budget.maxUnavailable
      budget.minAvailable = 2
    },
    found: [
      'budgetAllowsEviction PodDisruptionBudget cofre/cofre-gateway: forbids every eviction while 2 pods run',
    ],
  },
  'a budget that guards nothing': {
    put: ({ spec }) =>
      (spec('PodDisruptionBudget', 'cofre-orders').selector = { matchLabels: { app: 'orders' } }),
    found: [
      'budgetAllowsEviction PodDisruptionBudget cofre/cofre-orders: guards nothing',
      'deployment-has-poddisruptionbudget Deployment cofre/cofre-orders: No matching PodDisruptionBudget was found',
    ],
  },
  'a selector that takes migrations for the service': {
    put: ({ spec }) => {
      const labels = { 'app.kubernetes.io/part-of': 'cofre', 'app.kubernetes.io/version': '0.1.0' }
      spec('Deployment', 'cofre-vault').selector = { matchLabels: labels }
    },
    found: [
      'selectorIsExclusive Deployment cofre-vault/cofre-vault: also selects the pods of Job cofre-vault/cofre-vault-migration',
    ],
  },
  'a hook whose account comes later': {
    put: ({ manifest }) => delete manifest('ServiceAccount', 'cofre-orders-migration').metadata.annotations,
    found: [
      'hooksNeedOnlyHooks Job cofre/cofre-orders-migration: ServiceAccount cofre/cofre-orders-migration comes after it',
    ],
  },
  'a hook whose settings come later': {
    put: ({ container }) =>
      (container('Job', 'cofre-orders-migration').envFrom = [{ configMapRef: { name: 'cofre-orders' } }]),
    found: [
      'hooksNeedOnlyHooks Job cofre/cofre-orders-migration: ConfigMap cofre/cofre-orders comes after it',
    ],
  },
  'a pod that may run as root': {
    put: ({ pod }) => delete pod('Deployment', 'cofre-vault').securityContext?.runAsNonRoot,
    found: ['podIsConfined Deployment cofre-vault/cofre-vault: may run as root'],
  },
  'a pod with a token': {
    put: ({ pod }) => delete pod('Job', 'cofre-vault-migration').automountServiceAccountToken,
    found: ['podIsConfined Job cofre-vault/cofre-vault-migration: has a token of the Kubernetes API'],
  },
  'a container that escalates': {
    put: ({ container }) => delete container('Pod', 'cofre-test').securityContext?.allowPrivilegeEscalation,
    found: ['podIsConfined Pod cofre/cofre-test: may gain privileges'],
  },
  'a container with capabilities': {
    put: ({ container }) => {
      const context = container('Deployment', 'cofre-vault').securityContext
      if (context) context.capabilities = { drop: ['ALL'], add: ['NET_ADMIN'] }
    },
    found: ['podIsConfined Deployment cofre-vault/cofre-vault: keeps capabilities'],
  },
  'a probe of no port': {
    put: ({ container }) =>
      (container('Deployment', 'cofre-gateway').livenessProbe = {
        httpGet: { path: '/healthz', port: 'web' },
      }),
    found: [
      'portsExist Deployment cofre/cofre-gateway: a probe asks port web, which its container does not open',
    ],
  },
  'a service that selects nothing': {
    put: ({ spec }) => (spec('Service', 'cofre-notifier').selector = { app: 'notifier' }),
    found: [
      'portsExist Service cofre/cofre-notifier: its pods do not open port grpc',
      'service-targets-pod Service cofre/cofre-notifier: The services selector does not match any pods',
    ],
  },
  'a service whose pods have no such port': {
    put: ({ spec }) =>
      (spec('Service', 'cofre-orders').ports = [{ name: 'grpc', port: 50_051, targetPort: 'rpc' }]),
    found: ['portsExist Service cofre/cofre-orders: its pods do not open port rpc'],
  },
  'a ConfigMap that is not there': {
    put: ({ container }) =>
      (container('Deployment', 'cofre-orders').envFrom = [{ configMapRef: { name: 'orders' } }]),
    found: ['referencesExist Deployment cofre/cofre-orders: ConfigMap cofre/orders is not there'],
  },
  'a Secret of the other namespace': {
    put: ({ container }) =>
      container('Deployment', 'cofre-orders').env?.push({
        name: 'KEY',
        valueFrom: { secretKeyRef: { name: 'cofre-vault', key: 'key-encryption-keys' } },
      }),
    found: [
      'referencesExist Deployment cofre/cofre-orders: Secret cofre/cofre-vault with key-encryption-keys is not there',
    ],
  },
  'an entry that a Secret has not': {
    put: ({ manifest }) => delete manifest('Secret', 'cofre-notifier-tls').data?.['ca.crt'],
    found: [
      'referencesExist Deployment cofre/cofre-notifier: Secret cofre/cofre-notifier-tls with ca.crt is not there',
    ],
  },
  'a service account that is not there': {
    put: ({ pod }) => (pod('Deployment', 'cofre-vault').serviceAccountName = 'vault'),
    found: [
      'referencesExist Deployment cofre-vault/cofre-vault: ServiceAccount cofre-vault/vault is not there',
    ],
  },
  'an object without a namespace': {
    put: ({ manifest }) => delete manifest('ConfigMap', 'cofre-vault-partners').metadata.namespace,
    found: [
      'referencesExist Deployment cofre-vault/cofre-vault: ConfigMap cofre-vault/cofre-vault-partners with partners.json is not there',
    ],
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
}

export const DEFECTS: Record<string, Defect> = { ...KUBE_SCORE, ...HOUSE }

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
  return { manifest, spec, pod, container }
}
