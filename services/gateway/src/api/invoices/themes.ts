import { presentTheme, themeSchema } from '@cofre/api/theme'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Theme, ThemeFields } from '@cofre/proto/invoices/v1/themes'
import { z } from 'zod'
import { route } from '../../http/route'
import { webUrl } from '../fields/body-fields'

const PATH = '/api/v2/invoices/themes'
const tag = 'Invoices'

const color = () =>
  z
    .string()
    .regex(/^#([0-9A-Fa-f]{3}){1,2}$/, 'must be a color: # and three or six hexadecimal digits')
    .optional()

const themeRequestSchema = z
  .object({
    primaryColor: color(),
    secondaryColor: color(),
    logoUrl: webUrl().optional(),
    colors: z
      .object({
        headerBackground: color(),
        headerText: color(),
        bodyBackground: color(),
        bodyText: color(),
      })
      .meta({ id: 'ThemeColorsRequest' })
      .default({}),
  })
  .meta({
    id: 'ThemeRequest',
    description: 'A color that you leave out gets its default.',
    examples: [
      {
        primaryColor: '#0B7A4B',
        secondaryColor: '#5B6472',
        logoUrl: 'https://shop.example.com/logo.png',
        colors: { headerBackground: '#0B7A4B', headerText: '#FFFFFF' },
      },
    ],
  })

const getTheme = route({
  method: 'GET',
  path: PATH,
  scope: 'invoices:read',
  operationId: 'getInvoiceTheme',
  tag,
  summary: 'Read the theme of your invoices',
  responses: { 200: { description: 'The theme, or the default one.', schema: themeSchema } },
  handle: ({ sellerId }, { services: { themes } }) => callRpc(themes, themes.getTheme, { sellerId }),
  present: (theme) => ({ status: 200, body: presentTheme(theme) }),
})

const replaceTheme = route({
  method: 'PUT',
  path: PATH,
  scope: 'invoices:write',
  operationId: 'replaceInvoiceTheme',
  tag,
  summary: 'Replace the theme of your invoices',
  description:
    'Cofre accepts colors that many people cannot read, and answers with a warning. You can send what a read answered: `warnings` is ignored.',
  body: { kind: 'json', schema: themeRequestSchema, required: true, readOnly: ['warnings'] },
  responses: { 200: { description: 'Replaced.', schema: themeSchema } },
  message: Theme,
  handle: ({ sellerId, body: { colors, ...given } }, { services: { themes } }) => {
    const fields = ThemeFields.fromPartial({ ...given, ...colors })
    return callRepeatable(themes, themes.replaceTheme, { sellerId, fields })
  },
  present: (theme) => ({ status: 200, body: presentTheme(theme) }),
})

export const themeRoutes = [getTheme, replaceTheme]
