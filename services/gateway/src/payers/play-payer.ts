/** Where the payer of a boleto is played in a sandbox. Undefined elsewhere. */
export function boletoPayer(sandboxUrl: string | undefined, line: string): string | undefined {
  return sandboxUrl && `${sandboxUrl}/boletos/pay?${new URLSearchParams({ line }).toString()}`
}

/** Where the payer of a Pix charge is played in a sandbox. Undefined elsewhere. */
export function pixPayer(sandboxUrl: string | undefined, copyAndPaste: string): string | undefined {
  return sandboxUrl && `${sandboxUrl}/pix/pay?${new URLSearchParams({ copyAndPaste }).toString()}`
}
