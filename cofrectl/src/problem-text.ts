type FieldFault = { pointer: string; detail: string }

/** Returns the text that the terminal shows for a problem. A single field that the detail explains is not named twice. */
export function problemText(code: string, detail: string, faults: readonly FieldFault[]): string {
  const [first] = faults
  const isSaid = first !== undefined && faults.length === 1 && detail.includes(first.detail)
  const fields = isSaid ? [] : faults.map((fault) => `\n  ${fault.pointer}: ${fault.detail}`)
  return `${code}: ${detail}${fields.join('')}`
}
