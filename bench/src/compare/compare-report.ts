import { NOT_OURS } from '../budgets'
import { median, sumOf } from '../figures'
import { statementsTable, table } from '../report'
import type { ComparedPath, ComparedRound, Side } from './compare'

type Row = {
  path: string
  /** Our processor time after for each millisecond before: the median of the rounds, the least and the most. */
  ratio: { median: number; least: number; most: number } | null
  figures: Partial<Record<Side, Record<string, number>>>
  firstFailure: string | null
}

/** Returns the medians of each path; what is compared is compared within each round. */
export function rowsOf(compared: readonly ComparedPath[]): Row[] {
  return compared.map(({ path, rounds }) => {
    const ratios = rounds.flatMap(({ before, after }) =>
      before && after ? [oursOf(after) / oursOf(before)] : [],
    )
    const sides = (['before', 'after'] as const).flatMap((side) => {
      const ones = rounds.flatMap((round) => round[side] ?? [])
      return ones.length === 0 ? [] : [[side, mediansOf(ones)] as const]
    })
    const failed = rounds.flatMap((round) => [round.before, round.after]).find((one) => one?.firstFailure)
    return {
      path,
      ratio:
        ratios.length === 0
          ? null
          : { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
      figures: Object.fromEntries(sides),
      firstFailure: failed?.firstFailure ?? null,
    }
  })
}

function oursOf({ cpu }: ComparedRound): number {
  return sumOf(
    cpu,
    Object.keys(cpu).filter((name) => !NOT_OURS.includes(name)),
  )
}

function mediansOf(rounds: readonly ComparedRound[]): Record<string, number> {
  const of = (figure: (round: ComparedRound) => number) => median(rounds.map(figure))
  const processes = Object.keys(rounds[0]?.cpu ?? {})
  return {
    ours: of(oursOf),
    ...Object.fromEntries(processes.map((name) => [name, of(({ cpu }) => cpu[name] ?? 0)])),
    SQL: of(({ work }) => work.statements),
    fsyncs: of(({ work }) => work.fsyncs),
    'WAL KiB': of(({ work }) => work.walKib),
    'calls/s': of(({ perSecond }) => perSecond),
    'p50 ms': of(({ p50 }) => p50),
  }
}

/** Returns a table in Markdown: of each figure what it was before, and what it is after. */
export function compareReport(compared: readonly ComparedPath[]): string {
  const rows = rowsOf(compared)
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures.after ?? {})))]
  const cell = ({ figures }: Row, name: string) => {
    const of = (side: Side) => (figures[side]?.[name] ?? 0).toFixed(name === 'calls/s' ? 0 : 2)
    return figures.before ? `${of('before')} → ${of('after')}` : of('after')
  }
  const ratioOf = ({ ratio }: Row) =>
    ratio ? `${ratio.median.toFixed(3)} (${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)})` : ''
  return [
    'Processor time in milliseconds a call, with all that the call sets going, less what runs anyway; medians of the rounds.',
    '',
    table(
      ['path', 'ratio', ...names],
      rows.map((row) => [row.path, ratioOf(row), ...names.map((name) => cell(row, name))]),
    ),
    ...rows.flatMap(({ path, firstFailure }) =>
      firstFailure === null ? [] : ['', `${path} failed: \`${firstFailure}\``],
    ),
  ].join('\n')
}

/** Returns for each path a table in Markdown of what a call of this checkout has PostgreSQL run, in the last round. */
export function statementsReport(compared: readonly ComparedPath[]): string {
  return compared
    .map(({ path, rounds }) => `${path}:\n\n${statementsTable(rounds.at(-1)?.after?.statements ?? [])}`)
    .join('\n\n')
}
