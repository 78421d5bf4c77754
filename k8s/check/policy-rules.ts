import {
  isHook,
  nameOf,
  sameNamespace,
  selects,
  workloadsOf,
  type Container,
  type Manifest,
  type Selector,
  type Texts,
} from './manifest'
import { referencesExist, referencesOf } from './references'

/** A violation of a rule by an object. */
export type Finding = { rule: string; object: string; words: string }
type Fault = readonly [Manifest, string]
type Rule = (manifests: readonly Manifest[]) => Fault[]
const fault = (manifest: Manifest, words: string): Fault => [manifest, words]

const ofKind = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((each) => each.kind === kind)

const selectedBy = (manifests: readonly Manifest[], selecting: Manifest, selector: Selector | undefined) =>
  workloadsOf(manifests).filter(
    ({ manifest, labels }) => sameNamespace(manifest, selecting) && selects(selector, labels),
  )

/** Checks the parts of the Pod Security Standard "restricted" that kube-score leaves out, and the API token. */
const podIsConfined: Rule = (manifests) =>
  workloadsOf(manifests).flatMap(({ manifest, pod }) => {
    const contexts = pod.containers.map(({ securityContext }) => securityContext ?? {})
    const keepsCapabilities = contexts.some(
      ({ capabilities: { drop = [], add = [] } = {} }) => !drop.includes('ALL') || add.length > 0,
    )
    const faults = {
      'may run as root': pod.securityContext?.runAsNonRoot !== true,
      'has a token of the Kubernetes API': pod.automountServiceAccountToken !== false,
      'may gain privileges': contexts.some((context) => context.allowPrivilegeEscalation !== false),
      'keeps capabilities': keepsCapabilities,
    }
    return Object.entries(faults).flatMap(([words, wrong]) => (wrong ? [fault(manifest, words)] : []))
  })

const opens = ({ ports = [] }: Container, port: string | number) =>
  ports.some(({ name, containerPort }) => port === name || port === containerPort)

const portsExist: Rule = (manifests) => [
  ...workloadsOf(manifests).flatMap(({ manifest, pod }) =>
    pod.containers.flatMap((container) =>
      [container.startupProbe, container.readinessProbe, container.livenessProbe]
        .map((probe) => probe?.httpGet?.port)
        .filter((port) => port !== undefined && !opens(container, port))
        .map((port) => fault(manifest, `a probe asks port ${port}, which its container does not open`)),
    ),
  ),
  ...ofKind(manifests, 'Service').flatMap((service) => {
    const selector = { matchLabels: service.spec?.selector as Texts }
    const containers = selectedBy(manifests, service, selector).flatMap(({ pod }) => pod.containers)
    return (service.spec?.ports ?? [])
      .filter(({ targetPort }) => !containers.some((container) => opens(container, targetPort)))
      .map(({ targetPort }) => fault(service, `its pods do not open port ${targetPort}`))
  }),
]

/** Returns the fewest pods that a Deployment may have: its own number, or its autoscaler's. */
function fewestPods(manifests: readonly Manifest[], workload: Manifest): number {
  const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(
    (each) => sameNamespace(each, workload) && each.spec?.scaleTargetRef?.name === workload.metadata.name,
  )
  return scaler?.spec?.minReplicas ?? workload.spec?.replicas ?? 1
}

/** Returns the number of pods that a number or percentage means; Kubernetes rounds percentages up. */
const countOf = (value: number | string, pods: number) =>
  typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) / 100) * pods)

/** A budget that allows no eviction blocks every drain of a node, and so every upgrade of the cluster. */
const budgetAllowsEviction: Rule = (manifests) =>
  ofKind(manifests, 'PodDisruptionBudget').flatMap((budget) => {
    const { minAvailable = 0, maxUnavailable = '100%', selector } = budget.spec ?? {}
    const guarded = selectedBy(manifests, budget, selector)
    if (guarded.length === 0) return [fault(budget, 'guards nothing')]
    return guarded
      .map(({ manifest }) => fewestPods(manifests, manifest))
      .filter((pods) => countOf(maxUnavailable, pods) < 1 || countOf(minAvailable, pods) >= pods)
      .map((pods) => fault(budget, `forbids every eviction while ${pods} pods run`))
  })

const selectorIsExclusive: Rule = (manifests) =>
  ofKind(manifests, 'Deployment').flatMap((deployment) =>
    selectedBy(manifests, deployment, deployment.spec?.selector as Selector)
      .filter(({ manifest }) => manifest !== deployment)
      .map(({ manifest }) => fault(deployment, `also selects the pods of ${nameOf(manifest)}`)),
  )

/** Helm runs the hooks before an install, when only earlier hooks exist. */
const hooksNeedOnlyHooks: Rule = (manifests) => {
  const weight = ({ metadata }: Manifest) => Number(metadata.annotations?.['helm.sh/hook-weight'])
  return workloadsOf(manifests)
    .filter(({ manifest }) => manifest.metadata.annotations?.['helm.sh/hook']?.includes('pre-install'))
    .flatMap((workload) =>
      referencesOf(workload)
        .flatMap(({ kind, name }) => ofKind(manifests, kind).filter((each) => each.metadata.name === name))
        .filter((each) => sameNamespace(each, workload.manifest))
        .filter((each) => !isHook(each) || weight(each) >= weight(workload.manifest))
        .map((each) => fault(workload.manifest, `${nameOf(each)} comes after it`)),
    )
}

const SECRET_NAME = /password|secret(?!s? of)|private|pepper|database[-_]?url|token[-_]key$/i
const SECRET_VALUE = /PRIVATE KEY|:\/\/[^/\s:@]*:[^/\s@]+@/

/** A setting that ends in _FILE contains the path of a secret, not the secret. */
const configMapsHoldNoSecrets: Rule = (manifests) =>
  ofKind(manifests, 'ConfigMap').flatMap((config) =>
    Object.entries(config.data ?? {})
      .filter(([key, value]) => (SECRET_NAME.test(key) && !key.endsWith('_FILE')) || SECRET_VALUE.test(value))
      .map(([key]) => fault(config, `${key} looks like a secret`)),
  )

/** The rules that no tool checks. */
export const RULES: Record<string, Rule> = {
  podIsConfined,
  portsExist,
  budgetAllowsEviction,
  selectorIsExclusive,
  hooksNeedOnlyHooks,
  configMapsHoldNoSecrets,
  referencesExist,
}

export const ruleFindings = (manifests: readonly Manifest[]): Finding[] =>
  Object.entries(RULES).flatMap(([rule, faultsOf]) =>
    faultsOf(manifests).map(([manifest, words]) => ({ rule, object: nameOf(manifest), words })),
  )
