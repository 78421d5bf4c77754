import { listCharges } from './cofre/index.js'
import { client } from './cofre/client.gen.js'

client.setConfig({ baseUrl: '{baseUrl}', auth: process.env.COFRE_TOKEN })
const { data, error } = await listCharges({ query: { orderReference: 'order-1042' } })
if (!data) throw new Error(error.code)
export const charges = data.content
