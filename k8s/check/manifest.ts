/** The parts of Kubernetes objects that the checks read. */
export type Manifest = { apiVersion: string; kind: string; metadata: Metadata; spec?: Spec; data?: Texts }
export type Texts = Record<string, string>
export type Metadata = { name: string; namespace?: string; labels?: Texts; annotations?: Texts }
export type Selector = { matchLabels?: Texts; matchExpressions?: { key: string }[] }

export type Spec = {
  replicas?: number
  selector?: Selector | Texts
  template?: { metadata: { labels: Texts; annotations?: Texts }; spec: PodSpec }
  minAvailable?: number | string
  maxUnavailable?: number | string
  scaleTargetRef?: { kind: string; name: string }
  minReplicas?: number
  ports?: { name: string; port: number; targetPort: string | number }[]
  secretName?: string
  podSelector?: Selector
  policyTypes?: string[]
  ingress?: { from?: Peer[]; ports?: PolicyPort[] }[] | null
  egress?: { to?: Peer[]; ports?: PolicyPort[] }[] | null
  rules?: {
    http?: {
      paths: {
        path: string
        backend: { service: { name: string; port: { name?: string; number?: number } } }
      }[]
    }
    matches?: { path: { value: string } }[]
    backendRefs?: { name: string; port: number }[]
  }[]
}

export type Peer = {
  ipBlock?: { cidr: string; except?: string[] }
  namespaceSelector?: Selector
  podSelector?: Selector
}
export type PolicyPort = { protocol?: string; port?: number }

export type PodSpec = {
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  securityContext?: { runAsNonRoot?: boolean }
  containers: Container[]
  volumes?: { name: string; projected?: { sources: Source[] }; emptyDir?: object }[]
}

export type Reference = { name: string; items?: { key: string; path: string }[] }
export type Source = { secret?: Reference; configMap?: Reference }
export type Probe = { httpGet?: { path: string; port: string | number }; exec?: { command: string[] } }

export type Container = {
  name: string
  image: string
  command?: string[]
  args?: string[]
  env?: {
    name: string
    value?: string
    valueFrom?: { secretKeyRef?: { name: string; key: string } }
  }[]
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  resources?: { limits?: object }
  securityContext?: {
    allowPrivilegeEscalation?: boolean
    readOnlyRootFilesystem?: boolean
    capabilities?: { drop?: string[]; add?: string[] }
  }
  volumeMounts?: { name: string; mountPath: string }[]
}

/** A pod, or an object that creates pods, in one shape. */
export type Workload = { manifest: Manifest; labels: Texts; pod: PodSpec }

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests.flatMap((manifest) => {
    const { kind, metadata, spec } = manifest
    if (kind === 'Pod') {
      return [{ manifest, labels: metadata.labels ?? {}, pod: spec as unknown as PodSpec }]
    }
    const template = spec?.template
    return template ? [{ manifest, labels: template.metadata.labels, pod: template.spec }] : []
  })
}

export const nameOf = ({ kind, metadata }: Manifest) =>
  `${kind} ${metadata.namespace ?? '-'}/${metadata.name}`
export const isHook = ({ metadata }: Manifest) => metadata.annotations?.['helm.sh/hook'] !== undefined
export const sameNamespace = (a: Manifest, b: Manifest) => a.metadata.namespace === b.metadata.namespace

/** True when the selector selects these labels; an empty selector selects all. */
export function selects(selector: Selector | undefined, labels: Texts): boolean {
  if (selector?.matchExpressions) throw new Error('matchExpressions are not understood here')
  return Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value)
}

export const componentOf = (labels: Texts) => labels['app.kubernetes.io/component'] ?? 'nobody'
