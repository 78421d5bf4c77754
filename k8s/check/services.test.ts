import { SERVICE_NAMES } from '@cofre/platform/service/services'
import type { Manifest } from './manifest'
import { describeChart, render } from './render'

const prefixed = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name)
const ofServices = (ending = '') => SERVICE_NAMES.map((name) => `cofre-${name}${ending}`)

describeChart('every service of the table', () => {
  test.each(['Deployment', 'PodDisruptionBudget', 'HorizontalPodAutoscaler', 'ServiceAccount'])(
    'has a %s',
    (kind) => expect(prefixed(render('minimal'), kind)).toEqual(expect.arrayContaining(ofServices())),
  )

  test('has a migration, and no other component has one', () => {
    expect(prefixed(render('minimal'), 'Job').sort()).toEqual(ofServices('-migration').sort())
  })

  test('has a certificate made by the chart; cofrectl has one only in an administered installation', () => {
    const secrets = (values: 'minimal' | 'full') =>
      prefixed(render(values), 'Secret').filter((name) => name.endsWith('-tls'))
    expect(secrets('minimal').sort()).toEqual(ofServices('-tls').sort())
    expect(secrets('full').sort()).toEqual([...ofServices('-tls'), 'cofre-cofrectl-tls'].sort())
  })

  test('has a certificate made by cert-manager', () => {
    expect(prefixed(render('cert-manager'), 'Certificate')).toEqual(expect.arrayContaining(ofServices()))
  })
})
