const SNIPPET_MAX_BYTES = 1024
// 11 digits or more: none of our references is so long, and every card number is.
const LONG_NUMBER = /\d(?:[ .\-/]?\d){10,}/g
const NUMBER_AT_THE_END = /\d(?:[ .\-/]?\d)*$/

/** Reads the beginning of a receiver's answer and no more. If the answer breaks off, the part received counts. */
export async function readSnippet(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  let isWhole = true
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > SNIPPET_MAX_BYTES) break
    }
  } catch {
    // The status has arrived, and it alone decides.
    isWhole = false
  }
  return snippetOf(Buffer.concat(chunks), isWhole)
}

/** Text that may be kept and shown: masks long numbers and one that is cut off, and blanks control characters. */
export function snippetOf(bytes: Buffer, isWhole: boolean): string {
  const kept = new TextDecoder().decode(bytes.subarray(0, SNIPPET_MAX_BYTES))
  const shown = isWhole && bytes.length <= SNIPPET_MAX_BYTES ? kept : kept.replace(NUMBER_AT_THE_END, masked)
  return shown
    .replace(LONG_NUMBER, masked)
    .replace(/[^\P{C}\n\t]/gu, ' ')
    .trimEnd()
}

function masked(digits: string): string {
  return digits.replaceAll(/\d/g, '*')
}
