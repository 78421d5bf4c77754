import type { Theme } from '@cofre/proto/invoices/v1/themes'
import { z } from 'zod'
import { warningSchema } from './warning'

const color = () => z.string().meta({ examples: ['#1F4FD8'] })

/** A theme as GET and PUT show it. */
export const themeSchema = z
  .object({
    primaryColor: color(),
    secondaryColor: color(),
    logoUrl: z.string().nullable(),
    colors: z
      .object({
        headerBackground: color(),
        headerText: color(),
        bodyBackground: color(),
        bodyText: color(),
      })
      .meta({ id: 'ThemeColors' }),
    warnings: z
      .array(warningSchema)
      .meta({ description: 'LOW_CONTRAST: text that many people cannot read on its background (WCAG 2.2).' }),
  })
  .meta({
    id: 'Theme',
    examples: [
      {
        primaryColor: '#1F4FD8',
        secondaryColor: '#5B6472',
        logoUrl: 'https://shop.example.com/logo.png',
        colors: {
          headerBackground: '#FFFFFF',
          headerText: '#1A1C1F',
          bodyBackground: '#F5F6F8',
          bodyText: '#1A1C1F',
        },
        warnings: [],
      },
    ],
  })

export function presentTheme({ fields, warnings }: Theme): z.output<typeof themeSchema> {
  if (!fields) throw new Error('a theme was answered without its fields')
  const { primaryColor, secondaryColor, logoUrl, ...colors } = fields
  return {
    primaryColor,
    secondaryColor,
    logoUrl: logoUrl || null,
    colors,
    warnings: warnings.map((warning) => ({ ...warning })),
  }
}
