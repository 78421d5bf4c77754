export const PICTURE_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const
export type PictureType = (typeof PICTURE_TYPES)[keyof typeof PICTURE_TYPES]
export type Picture = { type: PictureType; bytes: Buffer }

export const PICTURE_BYTES_MAX = 200 * 1024

/** The type of a picture by its first bytes, whatever its name says. SVG is none of them: it may hold scripts. */
export function pictureIn(bytes: Buffer): Picture | undefined {
  const type = typeOf(bytes)
  return type && { type, bytes }
}

function typeOf(bytes: Buffer): PictureType | undefined {
  const ascii = (from: number, to: number) => bytes.subarray(from, to).toString('latin1')
  if (ascii(0, 8) === '\x89PNG\r\n\x1A\n' && ascii(12, 16) === 'IHDR') return 'image/png'
  if (ascii(0, 3) === '\xFF\xD8\xFF') return 'image/jpeg'
  const isWhole = bytes.length >= 16 && bytes.readUInt32LE(4) + 8 <= bytes.length
  return isWhole && ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP' ? 'image/webp' : undefined
}

/** The end of a picture's address. */
export function endingOf(type: PictureType): string {
  return Object.entries(PICTURE_TYPES).find(([, each]) => each === type)?.[0] ?? ''
}
