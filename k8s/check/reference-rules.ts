import {
  nameOf,
  sameNamespace,
  selects,
  workloadsOf,
  type Manifest,
  type Selector,
  type Workload,
} from './manifest'
import type { Rule } from './pod-rules'

/** A Secret or ConfigMap that a pod asks for, and the entry when one is named. */
type Asked = { kind: 'Secret' | 'ConfigMap'; name: string; key?: string }

export function askedBy({ pod }: Workload): Asked[] {
  const files = (pod.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? [])
  return [
    ...pod.containers.flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.flatMap(({ configMapRef, secretRef }) => [
        ...(configMapRef ? [{ kind: 'ConfigMap' as const, name: configMapRef.name }] : []),
        ...(secretRef ? [{ kind: 'Secret' as const, name: secretRef.name }] : []),
      ]),
      ...env.flatMap(({ valueFrom }) =>
        valueFrom?.secretKeyRef ? [{ kind: 'Secret' as const, ...valueFrom.secretKeyRef }] : [],
      ),
    ]),
    ...files.flatMap(({ secret, configMap }) => {
      const kind = secret ? ('Secret' as const) : ('ConfigMap' as const)
      const { name = '', items = [] } = secret ?? configMap ?? {}
      return items.map(({ key }) => ({ kind, name, key }))
    }),
  ]
}

/** `brought`: what the deployment brings itself, as `Secret namespace/name`. */
const referencesExist =
  (brought: ReadonlySet<string>): Rule =>
  (manifests) =>
    workloadsOf(manifests).flatMap((workload) => {
      const { manifest, pod } = workload
      const account = manifests.some(
        (each) =>
          each.kind === 'ServiceAccount' &&
          sameNamespace(each, manifest) &&
          each.metadata.name === pod.serviceAccountName,
      )
      const missing = askedBy(workload).filter((asked) => !isThere(manifests, manifest, asked))
      return [
        ...(account
          ? []
          : [`${nameOf(manifest)}: its service account is not there: ${pod.serviceAccountName}`]),
        ...missing
          .map(({ kind, name, key }) => ({ asked: `${kind} ${manifest.metadata.namespace}/${name}`, key }))
          .filter(({ asked }) => !brought.has(asked))
          .map(
            ({ asked, key }) => `${nameOf(manifest)}: ${asked} is not there, or has no ${key ?? 'entries'}`,
          ),
      ]
    })

function isThere(manifests: readonly Manifest[], asking: Manifest, { kind, name, key }: Asked): boolean {
  return manifests.some((each) => {
    if (!sameNamespace(each, asking)) return false
    // cert-manager writes the Secret of a Certificate.
    if (each.kind === 'Certificate') return kind === 'Secret' && each.spec?.secretName === name
    return (
      each.kind === kind && each.metadata.name === name && (key === undefined || key in (each.data ?? {}))
    )
  })
}

const serviceReachesPods: Rule = (manifests) =>
  manifests
    .filter(({ kind }) => kind === 'Service')
    .flatMap((service) => {
      const selected = workloadsOf(manifests).filter(
        ({ manifest, labels }) =>
          manifest.kind === 'Deployment' &&
          sameNamespace(manifest, service) &&
          selects({ matchLabels: service.spec?.selector as Record<string, string> }, labels),
      )
      if (selected.length === 0) return [`${nameOf(service)}: selects nothing`]
      const open = selected.flatMap(({ pod }) => pod.containers.flatMap(({ ports = [] }) => ports))
      return (service.spec?.ports ?? [])
        .filter(
          ({ targetPort }) => !open.some((port) => [port.name, port.containerPort].includes(targetPort)),
        )
        .map(({ targetPort }) => `${nameOf(service)}: its pods have no port ${targetPort}`)
    })

const backendsExist: Rule = (manifests) =>
  manifests
    .filter(({ kind }) => kind === 'Ingress' || kind === 'HTTPRoute')
    .flatMap((route) => {
      const asked = (route.spec?.rules ?? []).flatMap(({ http, backendRefs = [] }) => [
        ...(http?.paths ?? []).map(({ backend: { service } }) => ({
          name: service.name,
          port: service.port.name ?? service.port.number,
        })),
        ...backendRefs,
      ])
      return asked
        .filter(
          ({ name, port }) =>
            !manifests.some(
              (each) =>
                each.kind === 'Service' &&
                each.metadata.name === name &&
                sameNamespace(each, route) &&
                each.spec?.ports?.some((open) => open.name === port || open.port === port) === true,
            ),
        )
        .map(({ name, port }) => `${nameOf(route)}: there is no service ${name} with port ${port}`)
    })

const SECRET_NAME = /password|secret(?!s? of)|private|pepper|database[-_]?url|token[-_]key$/i
const SECRET_VALUE = /PRIVATE KEY|:\/\/[^/\s:@]*:[^/\s@]+@/

/** Paths of files and names of settings that end in _FILE say where a secret is, not what. */
const configMapsHoldNoSecrets: Rule = (manifests) =>
  manifests
    .filter(({ kind }) => kind === 'ConfigMap')
    .flatMap((config) =>
      Object.entries(config.data ?? {})
        .filter(
          ([key, value]) => (SECRET_NAME.test(key) && !key.endsWith('_FILE')) || SECRET_VALUE.test(value),
        )
        .map(([key]) => `${nameOf(config)}: ${key} looks like a secret`),
    )

const everyPodHasPolicy: Rule = (manifests) => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
  const applies = (policy: Manifest, { manifest, labels }: Workload) =>
    sameNamespace(policy, manifest) && selects(policy.spec?.podSelector, labels)
  const named = (selector: Selector | undefined) => Object.keys(selector?.matchLabels ?? {}).length > 0
  const workloads = workloadsOf(manifests)
  return [
    ...workloads
      .filter(
        (workload) =>
          !policies.some(
            (policy) =>
              named(policy.spec?.podSelector) &&
              applies(policy, workload) &&
              policy.spec?.policyTypes?.length === 2,
          ),
      )
      .map(({ manifest }) => `${nameOf(manifest)}: no network policy is about it, in both directions`),
    ...policies
      .filter((policy) => !workloads.some((workload) => applies(policy, workload)))
      .map((policy) => `${nameOf(policy)}: is about no pod`),
  ]
}

const WITHOUT_NAMESPACE = ['ClusterIssuer']

const namespaceIsNamed: Rule = (manifests) =>
  manifests
    .filter(({ kind, metadata }) => !metadata.namespace && !WITHOUT_NAMESPACE.includes(kind))
    .map((manifest) => `${nameOf(manifest)}: has no namespace`)

/** A service is known by the bare name in its certificate: nobody may have another's. */
const certificatesNameTheirOwner: Rule = (manifests) =>
  manifests
    .filter(({ kind, spec }) => kind === 'Certificate' && spec?.dnsNames !== undefined)
    .flatMap((certificate) => {
      const owner = certificate.metadata.labels?.['app.kubernetes.io/component']
      const bare = (certificate.spec?.dnsNames ?? []).filter(
        (name) => !name.includes('.') && name !== 'localhost',
      )
      return bare.length === 1 && bare[0] === owner
        ? []
        : [`${nameOf(certificate)}: names ${bare.join(', ') || 'nobody'}, not ${owner}`]
    })

export const referenceRules = (brought: ReadonlySet<string>) =>
  ({
    referencesExist: referencesExist(brought),
    serviceReachesPods,
    backendsExist,
    configMapsHoldNoSecrets,
    everyPodHasPolicy,
    namespaceIsNamed,
    certificatesNameTheirOwner,
  }) satisfies Record<string, Rule>
