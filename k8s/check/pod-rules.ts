import { componentOf, nameOf, type Container, type Manifest, type Workload, workloadsOf } from './manifest'

/** Looks at all objects of a rendering; answers what is wrong, each with the object's name. */
export type Rule = (manifests: readonly Manifest[]) => string[]

const everyPod =
  (fault: (workload: Workload) => (string | false | undefined)[]): Rule =>
  (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      fault(workload).flatMap((words) => (words ? [`${nameOf(workload.manifest)}: ${words}`] : [])),
    )

const everyContainer = (
  fault: (container: Container, workload: Workload) => (string | false | undefined)[],
): Rule => everyPod((workload) => workload.pod.containers.flatMap((container) => fault(container, workload)))

const podIsConfined = everyPod(({ pod }) => [
  pod.securityContext?.runAsNonRoot !== true && 'may run as root',
  pod.securityContext?.runAsUser !== 10_001 && 'does not run as user 10001',
  pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'has no seccomp profile',
  pod.automountServiceAccountToken !== false && "is given a token of Kubernetes' API",
  !pod.serviceAccountName && 'has no service account of its own',
])

const containerIsConfined = everyContainer(({ securityContext }) => [
  securityContext?.readOnlyRootFilesystem !== true && 'can write to its root file system',
  securityContext?.allowPrivilegeEscalation !== false && 'may gain privileges',
  securityContext?.privileged === true && 'is privileged',
  !securityContext?.capabilities?.drop?.includes('ALL') && 'keeps capabilities',
  (securityContext?.capabilities?.add ?? []).length > 0 && 'is given capabilities',
])

const imageHasVersion = everyContainer(({ image }) => {
  const version = /(?::(?<tag>[^:/@]+)|@(?<digest>sha256:[0-9a-f]{64}))$/.exec(image)?.groups
  return [
    !version && `its image has no version: ${image}`,
    version?.['tag'] === 'latest' && `its image is latest: ${image}`,
  ]
})

const UNITS: Record<string, number> = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
}

function amount(quantity: string | number | undefined): number | undefined {
  if (quantity === undefined) return undefined
  const [, digits = '', unit = ''] = /^([\d.]+)(\D*)$/.exec(String(quantity)) ?? []
  return Number(digits) * (unit === '' ? 1 : (UNITS[unit] ?? NaN))
}

const resourcesFit = everyContainer(({ resources }) => {
  const { requests, limits } = resources ?? {}
  const above = (['cpu', 'memory'] as const).filter(
    (kind) => (amount(requests?.[kind]) ?? 0) > (amount(limits?.[kind]) ?? Infinity),
  )
  return [
    amount(requests?.cpu) === undefined && 'requests no CPU',
    amount(requests?.memory) === undefined && 'requests no memory',
    amount(limits?.memory) === undefined && 'has no limit of memory',
    ...above.map((kind) => `requests more ${kind} than its limit`),
  ]
})

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const

/** A toolbox serves nobody; Jobs and tests end by themselves. */
const servesNobody = ({ manifest, labels }: Workload) =>
  manifest.kind !== 'Deployment' || componentOf(labels) === 'cofrectl'

const isProbed = everyContainer((container, workload) =>
  servesNobody(workload) ? [] : PROBES.map((probe) => !container[probe] && `has no ${probe}`),
)

const probePortExists = everyContainer((container) =>
  PROBES.map((probe) => {
    const port = container[probe]?.httpGet?.port
    const there = (container.ports ?? []).some(
      ({ name, containerPort }) => port === name || port === containerPort,
    )
    return port !== undefined && !there && `${probe} asks a port that is not there: ${port}`
  }),
)

const FINISHES_WITHIN_SECONDS = 30

const hasTimeToStop = everyContainer(({ lifecycle }, workload) => {
  if (servesNobody(workload)) return []
  const pause = lifecycle?.preStop?.sleep?.seconds ?? 0
  const given = workload.pod.terminationGracePeriodSeconds ?? 30
  return [given < pause + FINISHES_WITHIN_SECONDS && `is killed after ${given} s, while it may still finish`]
})

const settingsAreSingle = everyContainer(({ env = [] }) => {
  const names = env.map(({ name }) => name)
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `sets ${name} twice`)
})

export const podRules = {
  podIsConfined,
  containerIsConfined,
  imageHasVersion,
  resourcesFit,
  isProbed,
  probePortExists,
  hasTimeToStop,
  settingsAreSingle,
} satisfies Record<string, Rule>
