import { spawnSync } from 'node:child_process'
import type { Manifest } from './manifest'
import type { Finding } from './policy-rules'
import { toolPath } from './render'

/** The checks of kube-score that this chart does not follow. */
const LEFT_OUT = [
  'container-image-pull-policy', // images have versions, so a node may keep them
  'container-ephemeral-storage-request-and-limit', // containers write only into an emptyDir with a limit
  'pod-probes-identical', // both probes ask the same, but liveness is more patient
  'deployment-has-host-podantiaffinity', // topologySpreadConstraints spread the pods
]

const OPTIONS = [
  '--output-format=json',
  '--kubernetes-version=v1.34',
  '--ignore-container-cpu-limit', // k8s/README.md says why
  '--enable-optional-test=container-seccomp-profile',
  ...LEFT_OUT.map((check) => `--ignore-test=${check}`),
]

type Scored = {
  type_meta: { kind: string }
  object_meta: { name: string; namespace?: string }
  checks: { check: { id: string }; grade: number; skipped: boolean; comments: { summary: string }[] | null }[]
}
const BEST_GRADE = 10

export function kubeScoreFindings(manifests: readonly Manifest[]): Finding[] {
  const input = manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n')
  const { stdout, stderr } = spawnSync(toolPath('kube-score') ?? 'kube-score', ['score', ...OPTIONS, '-'], {
    input,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  if (!stdout.startsWith('[')) throw new Error(`kube-score failed: ${stderr}${stdout}`)
  return (JSON.parse(stdout) as Scored[]).flatMap(({ type_meta: { kind }, object_meta, checks }) =>
    checks
      .filter(({ grade, skipped }) => !skipped && grade < BEST_GRADE)
      .map(({ check, comments }) => ({
        rule: check.id,
        object: `${kind} ${object_meta.namespace ?? '-'}/${object_meta.name}`,
        words: (comments ?? []).map(({ summary }) => summary).join(', '),
      })),
  )
}
