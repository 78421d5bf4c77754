import {
  isHook,
  nameOf,
  sameNamespace,
  selects,
  workloadsOf,
  type Manifest,
  type Selector,
  type Workload,
} from './manifest'
import type { Rule } from './pod-rules'
import { askedBy } from './reference-rules'

const ofKind = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((each) => each.kind === kind)

function selectedBy(
  manifests: readonly Manifest[],
  selecting: Manifest,
  selector: Selector | undefined,
): Workload[] {
  return workloadsOf(manifests).filter(
    ({ manifest, labels }) => sameNamespace(manifest, selecting) && selects(selector, labels),
  )
}

/** The fewest pods that a Deployment may have: its own number, or its autoscaler's. */
function fewestPods(manifests: readonly Manifest[], workload: Manifest): number {
  const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(
    (each) => sameNamespace(each, workload) && each.spec?.scaleTargetRef?.name === workload.metadata.name,
  )
  return scaler?.spec?.minReplicas ?? workload.spec?.replicas ?? 1
}

/** How many of `pods` a number or percentage means, which Kubernetes rounds up. */
const countOf = (value: number | string, pods: number) =>
  typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) / 100) * pods)

/** A budget that allows no eviction holds up every drain of a node, and so every upgrade of the cluster. */
const budgetAllowsEviction: Rule = (manifests) =>
  ofKind(manifests, 'PodDisruptionBudget').flatMap((budget) => {
    const { minAvailable, maxUnavailable, selector } = budget.spec ?? {}
    const guarded = selectedBy(manifests, budget, selector)
    if (guarded.length === 0) return [`${nameOf(budget)}: guards nothing`]
    return guarded.flatMap(({ manifest }) => {
      const pods = fewestPods(manifests, manifest)
      const none =
        (maxUnavailable !== undefined && countOf(maxUnavailable, pods) < 1) ||
        (minAvailable !== undefined && countOf(minAvailable, pods) >= pods)
      return none ? [`${nameOf(budget)}: forbids every eviction while ${pods} run`] : []
    })
  })

const everyServiceHasBudget: Rule = (manifests) =>
  ofKind(manifests, 'Deployment')
    .filter((deployment) => !deployment.metadata.name.endsWith('-cofrectl'))
    .filter(
      (deployment) =>
        !ofKind(manifests, 'PodDisruptionBudget').some((budget) =>
          selectedBy(manifests, budget, budget.spec?.selector).some(
            ({ manifest }) => manifest === deployment,
          ),
        ),
    )
    .map((deployment) => `${nameOf(deployment)}: has no disruption budget`)

const scalerHasTarget: Rule = (manifests) =>
  ofKind(manifests, 'HorizontalPodAutoscaler').flatMap((scaler) => {
    const { scaleTargetRef, minReplicas = 1, maxReplicas = 0 } = scaler.spec ?? {}
    const target = manifests.find(
      (each) =>
        each.kind === scaleTargetRef?.kind &&
        each.metadata.name === scaleTargetRef.name &&
        sameNamespace(each, scaler),
    )
    if (!target) return [`${nameOf(scaler)}: its target is not there`]
    return [
      ...(target.spec?.replicas !== undefined
        ? [`${nameOf(target)}: says replicas, which its autoscaler also does`]
        : []),
      ...(minReplicas > maxReplicas ? [`${nameOf(scaler)}: its minimum is above its maximum`] : []),
    ]
  })

const updateKeepsAllPods: Rule = (manifests) =>
  ofKind(manifests, 'Deployment').flatMap((deployment) => {
    if (deployment.metadata.name.endsWith('-cofrectl')) return []
    const { maxUnavailable, maxSurge } = deployment.spec?.strategy?.rollingUpdate ?? {}
    return [
      ...(maxUnavailable !== 0
        ? [`${nameOf(deployment)}: an update takes pods away before it brings new ones`]
        : []),
      ...(maxSurge === 0 ? [`${nameOf(deployment)}: an update can't bring new pods`] : []),
    ]
  })

const selectorFits: Rule = (manifests) => {
  const deployments = ofKind(manifests, 'Deployment')
  return deployments.flatMap((deployment) => {
    const selector = deployment.spec?.selector as Selector
    const faults = selects(selector, deployment.spec?.template?.metadata.labels ?? {})
      ? []
      : [`${nameOf(deployment)}: does not select its own pods`]
    const others = selectedBy(manifests, deployment, selector).filter(
      ({ manifest }) => manifest !== deployment,
    )
    return [
      ...faults,
      ...others.map(({ manifest }) => `${nameOf(deployment)}: also selects ${nameOf(manifest)}`),
    ]
  })
}

const settingsRollPods: Rule = (manifests) =>
  ofKind(manifests, 'Deployment').flatMap((deployment) => {
    const { metadata, spec } = deployment.spec?.template ?? {}
    const checksums = Object.keys(metadata?.annotations ?? {})
    const readsSettings = spec?.containers.some(({ envFrom }) => (envFrom ?? []).length > 0) === true
    return readsSettings && !checksums.includes('checksum/settings')
      ? [`${nameOf(deployment)}: changed settings would not replace its pods`]
      : []
  })

/** Hooks before an install run before all else is there. */
const hooksNeedOnlyHooks: Rule = (manifests) =>
  workloadsOf(manifests)
    .filter(({ manifest }) => manifest.metadata.annotations?.['helm.sh/hook']?.includes('pre-install'))
    .flatMap((workload) => {
      const { manifest, pod } = workload
      const account = manifests.find(
        (each) =>
          each.kind === 'ServiceAccount' &&
          sameNamespace(each, manifest) &&
          each.metadata.name === pod.serviceAccountName,
      )
      const weight = (of: Manifest | undefined) => Number(of?.metadata.annotations?.['helm.sh/hook-weight'])
      const early = account !== undefined && isHook(account) && weight(account) < weight(manifest)
      const asked = askedBy(workload)
      const late = manifests.filter(
        (each) =>
          sameNamespace(each, manifest) &&
          !isHook(each) &&
          asked.some(({ kind, name }) => each.kind === kind && each.metadata.name === name),
      )
      return [
        ...(early ? [] : [`${nameOf(manifest)}: its service account comes after it`]),
        ...late.map((each) => `${nameOf(manifest)}: ${nameOf(each)} comes after it`),
      ]
    })

export const availabilityRules = {
  budgetAllowsEviction,
  everyServiceHasBudget,
  scalerHasTarget,
  updateKeepsAllPods,
  selectorFits,
  settingsRollPods,
  hooksNeedOnlyHooks,
} satisfies Record<string, Rule>
