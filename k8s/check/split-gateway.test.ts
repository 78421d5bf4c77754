import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@cofre/platform/service/services'
import { componentOf, isHook, workloadsOf, type Manifest } from './manifest'
import { describeChart, render } from './render'

const named = (manifests: readonly Manifest[], kind: string, name: string) => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found
}

describeChart('a split gateway', () => {
  const split = () => render('full')
  const podOf = (component: string) => {
    const found = workloadsOf(split()).find(
      ({ manifest, labels }) => manifest.kind === 'Deployment' && componentOf(labels) === component,
    )
    if (!found) throw new Error(`${component} is not deployed`)
    return found.pod
  }

  test.each([
    ['gateway', 'api'],
    ['gateway-pages', 'pages'],
  ])('runs as %s, which serves %s', (component, half) => {
    expect(named(split(), 'ConfigMap', `cofre-${component}`).data?.['SERVE']).toBe(half)
    expect(podOf(component).containers.map(({ image }) => image)).toEqual(
      podOf('gateway').containers.map(({ image }) => image),
    )
  })

  test('is one Deployment that serves all unless it is split', () => {
    const manifests = render('minimal')
    expect(named(manifests, 'ConfigMap', 'cofre-gateway').data).not.toHaveProperty('SERVE')
    expect(manifests.filter(({ metadata }) => metadata.name.startsWith('cofre-gateway-pages'))).toEqual([])
  })

  test('has its own autoscaler, budget, account, policy and Services for its pages', () => {
    const ofPages = split().filter((each) => componentOf(each.metadata.labels ?? {}) === 'gateway-pages')
    expect(
      ofPages.filter((each) => !isHook(each)).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    ).toEqual(
      expect.arrayContaining([
        'HorizontalPodAutoscaler cofre-gateway-pages',
        'NetworkPolicy cofre-gateway-pages',
        'PodDisruptionBudget cofre-gateway-pages',
        'Service cofre-gateway-pages',
        'Service cofre-gateway-pages-pods',
        'ServiceAccount cofre-gateway-pages',
      ]),
    )
    const { spec } = named(split(), 'Service', 'cofre-gateway-pages-pods')
    expect(spec?.ports?.map(({ name }) => name)).toContain('metrics')
  })

  test('calls under one certificate, with the same keys and the same database', () => {
    const sourcesOf = (component: string) => podOf(component).volumes?.[0]?.projected?.sources
    expect(sourcesOf('gateway-pages')).toEqual(sourcesOf('gateway'))
    expect(podOf('gateway-pages').containers[0]?.env).toEqual(podOf('gateway').containers[0]?.env)
  })

  test.each(['Ingress', 'HTTPRoute'])('gets each path at the Service that serves it, by %s', (kind) => {
    const options =
      kind === 'Ingress' ? [] : ['--set', 'ingress.kind=HTTPRoute,ingress.parentRefs[0].name=public']
    const rules = named(render('full', ...options), kind, 'cofre-gateway').spec?.rules ?? []
    const routed = rules.flatMap(({ http, matches, backendRefs }) => [
      ...(http?.paths ?? []).map(({ path, backend }) => [path, backend.service.name] as const),
      ...(matches ?? []).map(({ path }) => [path.value, backendRefs?.[0]?.name] as const),
    ])
    const wanted = Object.entries(services.gateway.http ?? {}).map(
      ([path, half]) => [path, half === 'pages' ? 'cofre-gateway-pages' : 'cofre-gateway'] as const,
    )
    expect(Object.fromEntries(routed)).toEqual(Object.fromEntries(wanted))
  })

  test('is reported when no pod of its pages answers', () => {
    const rules = (manifests: readonly Manifest[]) =>
      JSON.stringify(named(manifests, 'PrometheusRule', 'cofre-monitoring'))
    expect(rules(split())).toContain(String.raw`absent(up{job=\"gateway-pages\"})`)
    const together = render('cert-manager', '--set', 'metrics.rules.enabled=true')
    expect(rules(together)).not.toContain('gateway-pages')
    expect(readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8')).toContain('`CofrePagesDown`')
  })
})
