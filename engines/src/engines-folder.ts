import { join } from 'node:path'

const ROOT = join(__dirname, '../..')

/** Where what was fetched is kept, and what `npm run engines` started keeps its data. COFRE_ENGINES_DIR moves it. */
export const ENGINES_DIR = process.env['COFRE_ENGINES_DIR'] ?? join(ROOT, '.run', 'engines')
