/** The command was given wrongly: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
