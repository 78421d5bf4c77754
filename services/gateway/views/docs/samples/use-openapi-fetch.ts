import createClient from 'openapi-fetch'
import type { paths } from './cofre.js'

const headers = { Authorization: `Bearer ${process.env.COFRE_TOKEN}` }
const { GET } = createClient<paths>({ baseUrl: '{baseUrl}', headers })
const { data, error } = await GET('/api/v2/charges', { params: { query: { orderReference: 'order-1042' } } })
if (!data) throw new Error(error.code)
export const charges = data.content
