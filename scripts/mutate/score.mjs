import { EQUIVALENT } from './equivalents.mjs'

const NOTICED = ['Killed', 'Timeout']
const MISSED = ['Survived', 'NoCoverage']

/** Prints a table of files and each surviving mutation. True when each file of `gated` has `enough` percent. */
export function told({ files }, enough, gated) {
  const scores = Object.entries(files).map(([file, { source, mutants }]) => ({
    file,
    ...scoreOf(file, source, mutants),
  }))
  process.stdout.write(
    '\n| file | mutations | noticed | equivalent | survived | score |\n|---|---|---|---|---|---|\n',
  )
  for (const { file, noticed, equivalent, survived, score } of scores) {
    const all = noticed + equivalent + survived.length
    process.stdout.write(
      `| ${file} | ${all} | ${noticed} | ${equivalent} | ${survived.length} | ${score} % |\n`,
    )
  }
  for (const { file, survived } of scores) {
    for (const { line, text, mutant } of survived) {
      process.stdout.write(`\nsurvived: ${file}:${line}\n  ${text}\n  ${mutant}\n`)
    }
  }
  return scores.every(({ file, score }) => !gated.includes(file) || score >= enough)
}

function scoreOf(file, source, mutants) {
  const noticed = mutants.filter(({ status }) => NOTICED.includes(status)).length
  const missed = mutants
    .filter(({ status }) => MISSED.includes(status))
    .map((mutant) => placed(source, mutant))
  const isEquivalent = ({ text, mutant }) =>
    EQUIVALENT.some((one) => one.file === file && text.includes(one.code) && one.mutant === mutant)
  const survived = missed.filter((one) => !isEquivalent(one))
  const counted = noticed + survived.length
  const score = counted === 0 ? 100 : Math.floor((noticed / counted) * 1_000) / 10
  return { noticed, equivalent: missed.length - survived.length, survived, score }
}

function placed(source, { location, replacement }) {
  const { line } = location.start
  return {
    line,
    text: (source.split('\n')[line - 1] ?? '').trim(),
    mutant: (replacement ?? '').replaceAll(/\s+/g, ' '),
  }
}
