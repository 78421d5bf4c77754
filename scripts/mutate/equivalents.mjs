/**
 * Mutations that change nothing that a caller could see, each with the reason. `code`: a part of the line as it stands;
 * `mutant`: what stands in place of the mutated part.
 */
export const EQUIVALENT = [
  {
    file: 'packages/platform/src/secret-box.ts',
    code: 'authTagLength: TAG_BYTES',
    mutant: '{}',
    reason: 'a box so short that its tag is shorter does not open either way',
  },
  {
    file: 'packages/platform/src/secret-box.ts',
    code: 'text.trim()',
    mutant: 'text',
    reason: 'base64 is read without its blanks',
  },
]
