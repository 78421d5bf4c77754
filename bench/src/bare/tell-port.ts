/** Tells the parent process, on standard output, where this one listens; ends when the parent does. */
export function tellPort(error: Error | null | undefined, port: number): void {
  if (error) throw error
  process.stdout.write(`${JSON.stringify({ port })}\n`)
  process.stdin.resume().on('end', () => process.exit(0))
}
