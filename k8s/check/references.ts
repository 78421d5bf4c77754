import { sameNamespace, workloadsOf, type Manifest, type Workload } from './manifest'

/** An object that a pod needs, and its entry when the pod names one. */
type Reference = { kind: 'Secret' | 'ConfigMap' | 'ServiceAccount'; name: string; key?: string }

export function referencesOf({ pod }: Workload): Reference[] {
  const sources = (pod.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? [])
  return [
    { kind: 'ServiceAccount', name: pod.serviceAccountName ?? 'default' },
    ...pod.containers.flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.flatMap(({ configMapRef, secretRef }) => [
        ...(configMapRef ? [{ kind: 'ConfigMap' as const, name: configMapRef.name }] : []),
        ...(secretRef ? [{ kind: 'Secret' as const, name: secretRef.name }] : []),
      ]),
      ...env.flatMap(({ valueFrom }) =>
        valueFrom?.secretKeyRef ? [{ kind: 'Secret' as const, ...valueFrom.secretKeyRef }] : [],
      ),
    ]),
    ...sources.flatMap(({ secret, configMap }) => {
      const kind = secret ? ('Secret' as const) : ('ConfigMap' as const)
      const { name = '', items = [] } = secret ?? configMap ?? {}
      return items.map(({ key }) => ({ kind, name, key }))
    }),
  ]
}

/** True when the object is rendered and has the entry, or when cert-manager will write it as a Certificate's Secret. */
const provides = (each: Manifest, { kind, name, key }: Reference) =>
  each.kind === 'Certificate'
    ? kind === 'Secret' && each.spec?.secretName === name
    : each.kind === kind && each.metadata.name === name && (key === undefined || key in (each.data ?? {}))

/** Finds objects that pods need and the chart does not make. */
export const referencesExist = (manifests: readonly Manifest[]) =>
  workloadsOf(manifests).flatMap((workload) =>
    referencesOf(workload)
      .filter(
        (reference) =>
          !manifests.some((each) => sameNamespace(each, workload.manifest) && provides(each, reference)),
      )
      .map(({ kind, name, key }) => {
        const entry = key === undefined ? '' : ` with ${key}`
        const { namespace } = workload.manifest.metadata
        return [workload.manifest, `${kind} ${namespace}/${name}${entry} is not there`] as const
      }),
  )
