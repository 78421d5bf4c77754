import { componentOf, selects, type Manifest, type Peer, type PolicyPort, type Texts } from './manifest'

type Pod = { namespace: string; labels: Texts }
type Rule = { peers: Peer[] | undefined; ports: PolicyPort[] | undefined }

/**
 * Reads network policies as a graph: each edge `from → to:port` that Kubernetes would let through. Between two of our
 * pods, both sides must allow it. Other ends are named by their peer: an address range, or namespace and labels;
 * `world` is everybody.
 */
export function networkGraph(manifests: readonly Manifest[]): Set<string> {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
  const pods = podsOf(manifests)
  const edges = new Set<string>()
  for (const pod of pods) {
    const name = componentOf(pod.labels)
    const out = rulesFor(policies, pod, 'Egress')
    for (const rule of out) {
      for (const peer of rule.peers ?? [undefined]) {
        for (const target of targetsOf(peer, pods, pod.namespace)) {
          for (const port of rule.ports ?? [undefined]) addOutgoing({ from: pod, name, target, port })
        }
      }
    }
    for (const rule of rulesFor(policies, pod, 'Ingress')) {
      for (const peer of rule.peers ?? [undefined]) {
        for (const target of targetsOf(peer, pods, pod.namespace)) {
          if (typeof target !== 'string') continue // An edge between our own pods is found from its caller.
          for (const port of rule.ports ?? [undefined]) edges.add(`${target} → ${name}:${portName(port)}`)
        }
      }
    }
  }
  return edges

  function addOutgoing(edge: {
    from: Pod
    name: string
    target: Pod | string
    port: PolicyPort | undefined
  }) {
    const { from, name, target, port } = edge
    const to = typeof target === 'string' ? target : componentOf(target.labels)
    if (typeof target === 'string' || admits(target, from, port))
      edges.add(`${name} → ${to}:${portName(port)}`)
  }

  function admits(target: Pod, from: Pod, port: PolicyPort | undefined): boolean {
    return rulesFor(policies, target, 'Ingress').some(({ peers, ports }) => {
      const peerFits = peers?.some((peer) => fits(peer, from, target.namespace)) ?? true
      return peerFits && (ports?.some((each) => each.port === undefined || each.port === port?.port) ?? true)
    })
  }
}

/** Describes the edges that only one of the two graphs has. */
export function difference(rendered: ReadonlySet<string>, table: ReadonlySet<string>): string[] {
  return [
    ...[...rendered]
      .filter((edge) => !table.has(edge))
      .map((edge) => `allowed, but not in the table: ${edge}`),
    ...[...table]
      .filter((edge) => !rendered.has(edge))
      .map((edge) => `in the table, but not allowed: ${edge}`),
  ].sort()
}

function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    const labels = kind === 'Pod' ? metadata.labels : spec?.template?.metadata.labels
    return labels ? [{ namespace: metadata.namespace ?? '', labels }] : []
  })
}

/** Returns the rules of every policy that selects the pod. A pod that no policy selects may do everything. */
function rulesFor(policies: readonly Manifest[], pod: Pod, direction: 'Ingress' | 'Egress'): Rule[] {
  const mine = policies.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.namespace &&
      spec?.policyTypes?.includes(direction) === true &&
      selects(spec.podSelector, pod.labels),
  )
  if (mine.length === 0) return [{ peers: undefined, ports: undefined }]
  return mine.flatMap(({ spec }) =>
    direction === 'Ingress'
      ? (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: some(from), ports: some(ports) }))
      : (spec?.egress ?? []).map(({ to, ports }) => ({ peers: some(to), ports: some(ports) })),
  )
}

/** To Kubernetes, an empty list means no restriction. */
const some = <T>(list: T[] | undefined | null): T[] | undefined =>
  list && list.length > 0 ? list : undefined

/** Returns our own pods that a peer means, or a name for an outside peer. */
function targetsOf(peer: Peer | undefined, pods: readonly Pod[], own: string): (Pod | string)[] {
  if (!peer) return ['world', ...pods]
  if (peer.ipBlock) return [peer.ipBlock.cidr]
  const ours = pods.filter((pod) => fits(peer, pod, own))
  const whole = peer.podSelector === undefined || peer.namespaceSelector?.matchLabels === undefined
  return ours.length > 0 && !whole ? ours : [...ours, describe(peer, own)]
}

function fits(peer: Peer, pod: Pod, own: string): boolean {
  if (peer.ipBlock) return false
  const inNamespace = peer.namespaceSelector
    ? selects(peer.namespaceSelector, { 'kubernetes.io/metadata.name': pod.namespace })
    : pod.namespace === own
  return inNamespace && selects(peer.podSelector, pod.labels)
}

function describe({ namespaceSelector, podSelector }: Peer, own: string): string {
  const values = (labels: Texts | undefined) => Object.values(labels ?? {}).join(',') || '*'
  const namespace = namespaceSelector ? values(namespaceSelector.matchLabels) : own
  return `${namespace}/${values(podSelector?.matchLabels)}`
}

const portName = (port: PolicyPort | undefined) =>
  port ? `${port.port ?? '*'}/${port.protocol ?? 'TCP'}` : '*'
