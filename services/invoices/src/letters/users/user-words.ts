/** The texts of a letter to a seller's user. `path`: of the page to open, in the portal. */
export type UserWords = {
  subject: string
  title: string
  greeting: string
  sentence: string
  facts: { label: string; value: string }[]
  next: string
  action: string
  orOpen: string
  why: string
  path: string
}
