import type { Words } from '../words/language'
import { day, reais, word } from '../words/value'
import { soldIn, type Sales } from './sales'

/** The size of the picture in its own units; the page scales it. */
const WIDTH = 600
const HEIGHT = 120
/** The share of a day's place that its bar fills. */
const FILLED = 0.7
/** The least that is seen of a day on which something was sold. */
const LEAST = 2

/** A picture of the sales of some days, as bars, with its words. */
export function plotOf(sales: readonly Sales[], { show }: Words) {
  const most = Math.max(0, ...sales.map(soldIn))
  const place = WIDTH / Math.max(1, sales.length)
  const textOf = (each: Sales | undefined) => (each ? show(day(each.from)).text : '')
  const bars = sales.map((each, index) => {
    const sold = soldIn(each)
    const height = sold === 0 ? 0 : Math.max(LEAST, Math.round((sold / most) * HEIGHT))
    return {
      x: Math.round((index + (1 - FILLED) / 2) * place * 10) / 10,
      y: HEIGHT - height,
      width: Math.round(place * FILLED * 10) / 10,
      height,
      title: `${textOf(each)}: ${show(reais(sold)).text}`,
    }
  })
  const total = sales.reduce((all, each) => all + soldIn(each), 0)
  return {
    width: WIDTH,
    height: HEIGHT,
    bars,
    first: textOf(sales[0]),
    last: textOf(sales.at(-1)),
    most: show(reais(most)).text,
    total: show(reais(total)).text,
    label: show(
      word(
        'Sales of the last {count} days: {total} in all, at most {most} on a day. The table below has each day.',
        {
          count: sales.length,
          total: reais(total),
          most: reais(most),
        },
      ),
    ).text,
  }
}
