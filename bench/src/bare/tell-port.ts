/** Writes the port of this process to standard output, for its parent; ends when the parent does. */
export function tellPort(error: Error | null | undefined, port: number): void {
  if (error) throw error
  process.stdout.write(`${JSON.stringify({ port })}\n`)
  process.stdin.resume().on('end', () => process.exit(0))
}
